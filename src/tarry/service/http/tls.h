// What TLS offers here: versions and suites.
#pragma once

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace tarry::service {

// TLS 1.2 and 1.3, with suites that encrypt and authenticate in one (AEAD). Throws Error{kInternal} where OpenSSL has
// none.
void offer_aead_only(ssl_ctx_st* context);

}  // namespace tarry::service
