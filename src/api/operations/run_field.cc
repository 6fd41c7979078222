#include "api/operations/run_field.h"

namespace xsp::api {

void AddRun(core::RequestFields& fields, std::string* run) {
  fields.Add("run", run,
             {.help = "A directory, a name in the store, or latest (default)",
              .value_name = "RUN",
              .refers = core::Refers::kStored,
              .positional = true});
}

}  // namespace xsp::api
