#include "tarry/service/http/tls.h"

#include <openssl/ssl.h>

#include "tarry/base/error.h"

namespace tarry::service {

void offer_aead_only(SSL_CTX* context) {
  SSL_CTX_set_options(context, SSL_OP_ALL);
  // The list is for 1.2: a client's key exchange leaves nothing to decrypt later, and all suites of 1.3 are AEAD.
  if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") != 1)
    throw Error(Code::kInternal, "TLS: OpenSSL offers no suite with authenticated encryption");
}

}  // namespace tarry::service
