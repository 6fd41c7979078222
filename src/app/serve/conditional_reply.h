#ifndef XSP_APP_SERVE_CONDITIONAL_REPLY_H_
#define XSP_APP_SERVE_CONDITIONAL_REPLY_H_

#include "app/serve/answer_cache.h"
#include "app/serve/message.h"

namespace xsp::serve {

/// The answer as a reply to `request`: 304 without a body where If-None-Match has its entity tag;
/// with gzip where Accept-Encoding takes it.
Reply ConditionalReply(const Request& request, const StoredAnswer& answer);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_CONDITIONAL_REPLY_H_
