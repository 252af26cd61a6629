//gsoap calc service name: calc
//gsoap calc service style: rpc
//gsoap calc service encoding: encoded
//gsoap calc service namespace: urn:calc
//gsoap calc schema namespace: urn:calc
int calc__add(double a, double b, double *result);
int calc__divide(double a, double b, double *result);
int calc__reverse(char *text, char **result);
int calc__who(char *name, char **address);
