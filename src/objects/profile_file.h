#ifndef XSP_OBJECTS_PROFILE_FILE_H_
#define XSP_OBJECTS_PROFILE_FILE_H_

#include <map>
#include <string>
#include <string_view>

namespace xsp::objects {

/// Keys and values of the section `name` of an INI file as the cloud's own programs write it
/// (~/.aws/credentials). Comments begin with # or ;. Nested values (indented) are left out.
std::map<std::string, std::string> SectionOf(std::string_view text, std::string_view name);

/// The profile AWS_PROFILE (default: `default`): of ~/.aws/config, and over it ~/.aws/credentials.
/// Files that are not there have nothing.
std::map<std::string, std::string> ReadProfile();

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_PROFILE_FILE_H_
