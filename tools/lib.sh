# shellcheck shell=bash disable=SC2034
# What tools/demo and tools/test share: the packages, installing them, building.

set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
readonly root

# The one list of Debian packages, by what needs them.
readonly build_packages=(
  g++ cmake ninja-build pkg-config
  libcli11-dev libfmt-dev libspdlog-dev nlohmann-json3-dev zlib1g-dev libzstd-dev libncurses-dev
  libnl-route-3-dev libpcap-dev
)
readonly test_packages=(libgtest-dev libgmock-dev libbenchmark-dev gzip zstd tmux)
readonly clang_packages=(clang libclang-rt-14-dev)
readonly bus_packages=(can-utils iproute2 kmod tmux)
readonly bench_packages=(time)
# A kernel that is a program, with CAN among its modules; Debian has it for PCs.
readonly uml_packages=(user-mode-linux)
readonly uml_architectures="amd64 i386"

say() { printf '==> %s\n' "$*" >&2; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | head -n 1)" = installed ]
}

# need WHY PACKAGE...: installs those of the packages that are missing, without a question.
need() {
  local why=$1 package missing=()
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this is not a Debian system; needed to $why, by Debian's names: $*"
  fi
  for package in $(printf '%s\n' "$@" | sort -u); do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Missing to $why: ${missing[*]}"
  as_root_or_explain "${missing[@]}"
}

as_root_or_explain() {
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || explain_install "there is no sudo here" "$@"
    sudo=(sudo)
    [ -t 0 ] && [ -t 2 ] || sudo+=(-n)
    "${sudo[@]}" true || explain_install "sudo refused" "$@"
  fi
  say "Installing it with apt-get"
  # A source that does not answer need not matter to these packages: the install decides.
  apt_get update || say "apt-get update failed; trying with the package lists that are here"
  apt_get install -y --no-install-recommends "$@" || die "could not install: $*"
}

# Uses the caller's array `sudo`.
apt_get() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
    apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

explain_install() {
  local why=$1
  shift
  {
    echo "${0##*/}: not root, and $why. Missing packages:"
    printf '  %s\n' "$@"
    echo "Ask an administrator of this machine to run:"
    echo "  apt-get update && apt-get install --no-install-recommends $*"
  } >&2
  exit 1
}

# configure FOLDER [CMAKE OPTIONS...]: FOLDER is relative to the repository.
configure() {
  local folder=$root/$1 options=()
  shift
  # A build folder that was copied or moved along with its sources still names the old place.
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    options+=(--fresh)
  fi
  command -v ccache >/dev/null && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "${options[@]}" "$@" >&2
}

# build FOLDER [TARGET...]
build() {
  local folder=$root/$1
  shift
  cmake --build "$folder" ${1+--target "$@"} >&2
}
