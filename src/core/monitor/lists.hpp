#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rangerctl/monitor/draw.hpp"

/// The rows through which a cursor moves.
namespace rangerctl::monitor {

/// One id on the bus, whatever it is.
struct ListedId {
  IdKey key;
  std::string id;                              ///< "211", "18FF1234", "211 RTR", "ERR 004"
  std::string name;                            ///< of the message, or what it is instead
  const protocol::Message* message = nullptr;  ///< null: none of the catalogue
  const Frame* frame = nullptr;                ///< the last one; null: none arrived
  SteadyTime arrival;                          ///< counts only with a frame
  std::uint64_t count = 0;
  const Meter* meter = nullptr;
  const IdHistory* history = nullptr;
};

/// Every id that the frames page shows: sorted, and filtered. Ids of the catalogue that the chassis should
/// send are there before they arrive, so that nothing moves when they do.
[[nodiscard]] std::vector<ListedId> listed_ids(const Scene& scene, const Choices& choices);

/// How many there are without the filter.
[[nodiscard]] std::size_t count_of_ids(const Scene& scene);

/// Where the cursor is in the list: at the chosen id, or at its beginning.
[[nodiscard]] std::size_t selected_row(const std::vector<ListedId>& ids, const Choices& choices);

/// One bit that means that something is wrong.
struct FaultPlace {
  const protocol::Message* message;
  const protocol::Signal* signal;
  const protocol::Flag* flag;
};

/// All of them, in the order of the catalogue.
[[nodiscard]] std::vector<FaultPlace> fault_places(const protocol::Catalogue& catalogue);

/// The one under the cursor: the chosen one, else the first active one, else the first.
[[nodiscard]] std::size_t selected_fault(const Scene& scene, const std::vector<FaultPlace>& places,
                                         const Choices& choices);

enum class BitState : std::uint8_t {
  clear,
  active,
  seen,         ///< was active since the start
  not_known,    ///< nothing arrives that would say it
  seen_before,  ///< not known, but it was active
};
[[nodiscard]] BitState bit_state(const Scene& scene, const FaultPlace& place);
[[nodiscard]] const BitHistory& bit_history(const Scene& scene, const FaultPlace& place);

/// Whether the command clear_error has anything to do with it.
[[nodiscard]] bool is_clearable(const FaultPlace& place);
/// "Clear over_current (0x0F)?  y: yes  a: all (0x00)  other keys: no"
[[nodiscard]] std::string clear_question(const protocol::Flag& flag);

/// What is left for a page between the first row and the last ones.
[[nodiscard]] Size page_size(Size screen, bool replay);
/// How far the present page can scroll as text.
[[nodiscard]] std::size_t most_scroll(const Scene& scene, const Choices& choices, Size page);
/// How many events stand beside each other in so many rows and columns.
[[nodiscard]] int events_across(std::size_t events, int rows, int columns);

/// Rows through which the present page scrolls as text; 0: it has a cursor, or needs none.
[[nodiscard]] std::size_t text_rows(const Scene& scene, const Choices& choices);

}  // namespace rangerctl::monitor
