// Inline code that every test program has, compiled as the libraries are and linked first: of an
// inline function the linker keeps the first copy that it sees. Without this file that is the one
// of the tests, which are not optimised, and the libraries under test (DuckDB, too) call it.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

template class std::basic_string<char>;
template class std::vector<std::string>;
template class std::map<std::string, std::string>;
template class nlohmann::basic_json<>;
template class std::vector<nlohmann::json>;
template class std::map<std::string, nlohmann::json, std::less<>>;
