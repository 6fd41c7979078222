#ifndef XSP_API_REQUEST_POLICY_H_
#define XSP_API_REQUEST_POLICY_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// What a request of somebody may reach who may not reach the whole machine.
struct ReachableFiles {
  std::filesystem::path store;
  std::vector<std::filesystem::path> inputs;  ///< Folders or files that may be read: uploads.
  std::vector<std::filesystem::path> models;  ///< Folders or files of models, besides the zoo.
};

/// Checks the fields of `request` by what core::FieldInfo::refers says they stand for:
///
/// - kStored: `latest`, NAME or NAME/RUN, with #SELECTORS behind. What of the store has that name
///   must lie in the store, symbolic links included. Operations also take paths here, so that a
///   name is refused where a file of the working folder has it, unless that lies in the store, too.
/// - kInput: a path below one of `inputs`, or the name of something that ships with XSP: a plain
///   word (letters, digits, `.`, `_`, `-`) that no file of the working folder has.
/// - kModel: a path below one of `models`, or a name of the zoo: a plain word, likewise. Not a
///   manifest (.yaml) that lies below one of `inputs`, too: it could name any file.
/// - kManifest: a path below one of `models`, and not below one of `inputs`, whatever its name is.
/// - kOutput, kOutputPage, kProgram and programs: nothing. Who performs the request may set a page
///   (PageFieldOf()) afterwards.
///
/// An empty text is as good as none, unless the field is required. What is not of the type that a
/// field takes is left to ReadRequest(), as are unknown fields. Nothing is changed in the request:
/// it is to be performed in the same working folder, while nobody else changes the links in the
/// folders of `files`. What a file itself refers to (a manifest that names a model file) is not
/// followed.
///
/// Errors: kUsage naming the field.
Status CheckReach(const Operation& operation, const nlohmann::json& request,
                  const ReachableFiles& files);

/// The experiments that a request names, without runs and selectors. None: it names no experiment,
/// or one otherwise than by its name (`latest`). For requests that CheckReach() lets pass.
std::vector<std::string> NamedExperiments(const Operation& operation,
                                          const nlohmann::json& request);

/// Whether a request gives SQL of its own (core::Refers::kSql).
bool StatesSql(const Operation& operation, const nlohmann::json& request);

/// The name of the operation's field that takes the path of a page to write; empty: none.
std::string PageFieldOf(const Operation& operation);

}  // namespace xsp::api

#endif  // XSP_API_REQUEST_POLICY_H_
