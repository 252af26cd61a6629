// Calls by CORBA, one after another. calls serve [ORB's options]; calls URI COUNT: prints how many a second.
#include "calls.hh"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static const int BYTES = 1024;

class Answers : public POA_Calls {
public:
    char *say(const char *text) { return CORBA::string_dup(text); }
};

static int serve(CORBA::ORB_ptr orb) {
    // Whose objects are found by a name in a URI.
    CORBA::Object_var found = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(found);
    PortableServer::ObjectId_var name = PortableServer::string_to_ObjectId("Calls");
    poa->activate_object_with_id(name, new Answers());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    std::puts("ready");
    std::fflush(stdout);
    orb->run();
    return 0;
}

static int call(CORBA::ORB_ptr orb, const char *uri, int count) {
    CORBA::Object_var object = orb->string_to_object(uri);
    Calls_var calls = Calls::_narrow(object);
    std::string text(BYTES, 'x');
    for (int i = 0; i < count / 10; i++) CORBA::String_var(calls->say(text.c_str()));
    auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < count; i++) {
        CORBA::String_var said = calls->say(text.c_str());
        if (text != said.in()) return 1;
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    std::printf("%.1f calls a second\n", count / took.count());
    return 0;
}

int main(int count, char **arguments) {
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(count, arguments);
        if (count < 2) return 2;
        int status = std::strcmp(arguments[1], "serve") == 0 ? serve(orb)
                   : count == 3 ? call(orb, arguments[1], std::atoi(arguments[2]))
                   : 2;
        orb->destroy();
        return status;
    } catch (CORBA::SystemException &e) {
        std::printf("%s\n", e._name());
        return 1;
    }
}
