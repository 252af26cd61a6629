// Keys and signatures of docs/wire/handshake.md, by OpenSSL.
#include "wire.h"
#include "../ibidem.h"
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <string.h>

void id_of(const uint8_t key[KEY], uint8_t id[ID]) {
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA256(key, KEY, hash);
    memcpy(id, hash, ID);
}

int random_bytes(void *bytes, size_t count) {
    return RAND_bytes(bytes, (int) count) == 1 ? 0 : fail_with(IBIDEM_INVALID, "there is no chance on this machine");
}

int identity_make(struct identity *identity) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    uint8_t *at = identity->public_key;
    if (!key || i2d_PUBKEY(key, NULL) != KEY) {
        EVP_PKEY_free(key);
        return fail_with(IBIDEM_INVALID, "no key of the curve P-256 can be made: OpenSSL lacks it");
    }
    i2d_PUBKEY(key, &at);
    identity->key = key;
    id_of(identity->public_key, identity->id);
    return 0;
}

void identity_free(struct identity *identity) {
    EVP_PKEY_free(identity->key);
}

// The MAC, or nothing.
static size_t proof_of_job(const struct said *said, uint8_t mac[MAC]) {
    if (!said->job || !said->job->name[0]) return 0;
    job_mac(said->job, said->what, said->hello, said->reply, mac);
    return MAC;
}

int sign_parts(const struct identity *by, const struct said *said, uint8_t signature[SIGNATURE]) {
    uint8_t mac[MAC];
    size_t more = proof_of_job(said, mac);
    uint8_t der[80];
    const uint8_t *at = der;
    size_t length = sizeof der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, by->key) == 1
               && EVP_DigestSignUpdate(context, said->what, strlen(said->what)) == 1
               && EVP_DigestSignUpdate(context, said->hello->bytes, said->hello->length) == 1
               && EVP_DigestSignUpdate(context, said->reply->bytes, said->reply->length) == 1
               && EVP_DigestSignUpdate(context, mac, more) == 1
               && EVP_DigestSignFinal(context, der, &length) == 1;
    EVP_MD_CTX_free(context);
    ECDSA_SIG *parts = good ? d2i_ECDSA_SIG(NULL, &at, (long) length) : NULL;
    good = parts && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, 32) == 32
           && BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + 32, 32) == 32;
    ECDSA_SIG_free(parts);
    return good ? 0 : fail_with(IBIDEM_INVALID, "OpenSSL does not sign");
}

int verify_parts(const uint8_t key[KEY], const struct said *said, const uint8_t signature[SIGNATURE]) {
    uint8_t mac[MAC];
    size_t more = proof_of_job(said, mac);
    uint8_t *der = NULL;
    const uint8_t *at = key;
    EVP_PKEY *by = d2i_PUBKEY(NULL, &at, KEY);
    ECDSA_SIG *parts = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int length = -1, good = 0;
    if (parts && r && s && ECDSA_SIG_set0(parts, r, s) == 1) {
        r = s = NULL; // they are the signature's now
        length = i2d_ECDSA_SIG(parts, &der);
    }
    if (by && context && length > 0) {
        good = EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, by) == 1
               && EVP_DigestVerifyUpdate(context, said->what, strlen(said->what)) == 1
               && EVP_DigestVerifyUpdate(context, said->hello->bytes, said->hello->length) == 1
               && EVP_DigestVerifyUpdate(context, said->reply->bytes, said->reply->length) == 1
               && EVP_DigestVerifyUpdate(context, mac, more) == 1
               && EVP_DigestVerifyFinal(context, der, (size_t) length) == 1;
    }
    BN_free(r);
    BN_free(s);
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(by);
    return good ? 0 : fail_with(IBIDEM_REFUSED, "a signature is not the one of its key");
}
