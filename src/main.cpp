#include "cli/command.hpp"

int main(int argc, char** argv) { return rangerctl::cli::run_program(argc, argv); }
