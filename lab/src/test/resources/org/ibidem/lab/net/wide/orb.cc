// An echo by CORBA. orb serve [ORB's options]; orb URI [ORB's options]: calls it, and is called back.
#include "echo.hh"
#include <cstdio>
#include <cstring>

static const CORBA::ULong LARGE = 1 << 18;

class Echoes : public POA_Echo {
public:
    char *say(const char *text) { return CORBA::string_dup(text); }

    Echo::Numbers *twice(const Echo::Numbers &some) {
        Echo::Numbers *all = new Echo::Numbers(some);
        for (CORBA::ULong i = 0; i < all->length(); i++) (*all)[i] *= 2;
        return all;
    }

    void tell(Listener_ptr whom, const char *what) { whom->heard(what); }
};

class Listens : public POA_Listener {
public:
    CORBA::String_var last;

    void heard(const char *what) { last = CORBA::string_dup(what); }
};

static int serve(CORBA::ORB_ptr orb) {
    // Whose objects are found by a name in a URI.
    CORBA::Object_var found = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(found);
    PortableServer::ObjectId_var name = PortableServer::string_to_ObjectId("Echo");
    poa->activate_object_with_id(name, new Echoes());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    std::puts("ready");
    std::fflush(stdout);
    orb->run();
    return 0;
}

static int call(CORBA::ORB_ptr orb, const char *uri) {
    CORBA::Object_var object = orb->string_to_object(uri);
    Echo_var echo = Echo::_narrow(object);
    CORBA::String_var said = echo->say("hello");
    Echo::Numbers some(LARGE);
    some.length(LARGE);
    for (CORBA::ULong i = 0; i < LARGE; i++) some[i] = i * 0.25;
    Echo::Numbers_var twice = echo->twice(some);
    CORBA::ULong wrong = twice->length() != LARGE;
    for (CORBA::ULong i = 0; i < LARGE && !wrong; i++) wrong += twice[i] != i * 0.5;

    CORBA::Object_var found = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(found);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    Listens listens;
    PortableServer::ObjectId_var id = poa->activate_object(&listens);
    manager->activate();
    Listener_var own = listens._this();
    echo->tell(own, "called back");
    std::printf("%s, %u wrong, %s\n", said.in(), (unsigned) wrong, listens.last.in() ? listens.last.in() : "nothing");
    std::fflush(stdout);
    poa->deactivate_object(id);
    return wrong != 0;
}

int main(int count, char **arguments) {
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(count, arguments);
        int status = std::strcmp(arguments[1], "serve") == 0 ? serve(orb) : call(orb, arguments[1]);
        orb->destroy();
        return status;
    } catch (CORBA::SystemException &e) {
        std::printf("%s\n", e._name());
        return 1;
    }
}
