// A calculator by SOAP. calc serve PORT; calc URL: asks it, and prints what it says.
#include "soapH.h"
#include "calc.nsmap"

enum { LONG = 300000 };

int calc__add(struct soap *soap, double a, double b, double *result) {
    (void) soap;
    *result = a + b;
    return SOAP_OK;
}

int calc__divide(struct soap *soap, double a, double b, double *result) {
    if (b == 0) return soap_sender_fault(soap, "no number", NULL);
    *result = a / b;
    return SOAP_OK;
}

int calc__reverse(struct soap *soap, char *text, char **result) {
    size_t length = strlen(text);
    *result = soap_malloc(soap, length + 1);
    for (size_t i = 0; i < length; i++) (*result)[i] = text[length - 1 - i];
    (*result)[length] = 0;
    return SOAP_OK;
}

int calc__who(struct soap *soap, char *name, char **address) {
    (void) name;
    *address = soap_strdup(soap, soap->host);
    return SOAP_OK;
}

static int serve(struct soap *soap, int port) {
    if (!soap_valid_socket(soap_bind(soap, NULL, port, 16))) return 1;
    printf("ready\n");
    fflush(stdout);
    while (soap_valid_socket(soap_accept(soap))) {
        soap_serve(soap);
        soap_destroy(soap);
        soap_end(soap);
    }
    return 1;
}

static int ask(struct soap *soap, const char *url) {
    static char text[LONG + 1];
    double sum = 0, quotient = 0;
    char *reversed = NULL, *who = NULL;
    int right = 1;
    for (int i = 0; i < LONG; i++) text[i] = (char) ('a' + i * 7 % 23);
    if (soap_call_calc__add(soap, url, NULL, 20, 22.5, &sum) || soap_call_calc__divide(soap, url, NULL, 1, 8, &quotient)
        || soap_call_calc__reverse(soap, url, NULL, text, &reversed) || soap_call_calc__who(soap, url, NULL, "I", &who)) {
        soap_print_fault(soap, stdout);
        return 1;
    }
    for (int i = 0; i < LONG; i++) right &= reversed[i] == text[LONG - 1 - i];
    printf("%g %g %s %s\n", sum, quotient, right && strlen(reversed) == LONG ? "reversed" : "wrong", who);
    printf("%s\n", soap_call_calc__divide(soap, url, NULL, 1, 0, &quotient) ? *soap_faultstring(soap) : "no fault");
    return 0;
}

int main(int count, char **arguments) {
    struct soap soap;
    soap_init1(&soap, SOAP_IO_KEEPALIVE);
    soap.bind_flags = SO_REUSEADDR; // who is started anew gets the same port
    if (count == 3) return serve(&soap, atoi(arguments[2]));
    return count == 2 ? ask(&soap, arguments[1]) : 2;
}
