#pragma once

#include <string>
#include <utility>
#include <variant>

#include "rangerctl/exit_status.hpp"

namespace rangerctl {

/// Why something failed, for a person: `message` names what failed, why, and what to do next.
/// `status` is what the program exits with when nobody handles it.
struct Error {
  ExitStatus status = ExitStatus::failed;
  std::string message;
};

/// A value or the reason why there is none. The names are those of std::expected, which g++ 12 lacks.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  /// Precondition of value(), * and ->: has_value(). Precondition of error(): !has_value().
  [[nodiscard]] T& value() { return std::get<0>(content_); }
  [[nodiscard]] const T& value() const { return std::get<0>(content_); }
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}

  [[nodiscard]] bool has_value() const { return ok_; }
  explicit operator bool() const { return ok_; }
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace rangerctl
