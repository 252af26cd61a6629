// MPI and CORBA in one process: each rank serves an echo by CORBA, and calls the other rank's in one
// thread while another sends by MPI. both NAME0 NAME1 PORT: under which names the ranks are reached.
#include <mpi.h>

#include "echo.hh"
#include "meet.h"
#include <arpa/inet.h>
#include <cstdio>
#include <pthread.h>
#include <string>
#include <sys/socket.h>
#include <vector>

static const CORBA::ULong LARGE = 1 << 16;
static const int ROUNDS = 20, MOST_FILES = 4096;

class Echoes : public POA_Echo {
public:
    char *say(const char *text) { return CORBA::string_dup(text); }

    Echo::Numbers *twice(const Echo::Numbers &some) {
        Echo::Numbers *all = new Echo::Numbers(some);
        for (CORBA::ULong i = 0; i < all->length(); i++) (*all)[i] *= 2;
        return all;
    }

    void tell(Listener_ptr, const char *) {}
};

struct Call {
    CORBA::ORB_ptr orb;
    std::string uri;
    bool right;
};

static void *calls(void *given) {
    Call *call = static_cast<Call *>(given);
    try {
        CORBA::Object_var object = call->orb->string_to_object(call->uri.c_str());
        Echo_var echo = Echo::_narrow(object);
        Echo::Numbers some(LARGE);
        some.length(LARGE);
        for (int round = 0; round < ROUNDS; round++) {
            for (CORBA::ULong i = 0; i < LARGE; i++) some[i] = i * 0.25 + round;
            Echo::Numbers_var twice = echo->twice(some);
            bool same = twice->length() == LARGE;
            for (CORBA::ULong i = 0; same && i < LARGE; i++) same = twice[i] == 2 * (i * 0.25 + round);
            call->right = call->right && same;
        }
    } catch (CORBA::SystemException &e) {
        std::printf("%s\n", e._name());
        call->right = false;
    }
    return NULL;
}

static bool sends(int rank) {
    std::vector<double> mine(LARGE), other(LARGE);
    bool right = true;
    for (int round = 0; round < ROUNDS; round++) {
        for (CORBA::ULong i = 0; i < LARGE; i++) mine[i] = rank + round + i * 0.5;
        MPI_Sendrecv(mine.data(), LARGE, MPI_DOUBLE, 1 - rank, round, other.data(), LARGE, MPI_DOUBLE, 1 - rank,
                     round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (CORBA::ULong i = 0; i < LARGE; i++) right = right && other[i] == 1 - rank + round + i * 0.5;
    }
    return right;
}

static void peers(int rank) {
    for (int fd = 0; fd < MOST_FILES; fd++) {
        struct sockaddr_in at;
        socklen_t length = sizeof at;
        char text[INET_ADDRSTRLEN] = "";
        if (getpeername(fd, (struct sockaddr *) &at, &length) != 0 || at.sin_family != AF_INET) continue;
        inet_ntop(AF_INET, &at.sin_addr, text, sizeof text);
        std::printf("rank %d peer %s\n", rank, text);
    }
}

static CORBA::ORB_ptr orb(const char *name, const std::string &port) {
    std::string at = "giop:tcp::" + port, told = std::string("giop:tcp:") + name + ":" + port;
    const char *options[] = {"both", "-ORBendPoint", at.c_str(), "-ORBendPointPublish", told.c_str()};
    int count = 5;
    return CORBA::ORB_init(count, const_cast<char **>(options));
}

int main(int count, char **arguments) {
    int rank, threads;
    if (count != 4) return 2;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CORBA::ORB_var own = orb(arguments[1 + rank], arguments[3]);
    CORBA::Object_var found = own->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(found);
    PortableServer::ObjectId_var name = PortableServer::string_to_ObjectId("Echo");
    poa->activate_object_with_id(name, new Echoes());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    MPI_Barrier(MPI_COMM_WORLD);

    Call call = {own, std::string("corbaloc::") + arguments[2 - rank] + ":" + arguments[3] + "/Echo", true};
    pthread_t caller;
    if (pthread_create(&caller, NULL, calls, &call) != 0) return 1;
    bool right = sends(rank);
    pthread_join(caller, NULL);
    std::printf("rank %d: MPI %s, CORBA %s\n", rank, right ? "right" : "wrong", call.right ? "right" : "wrong");
    peers(rank);
    std::fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD); // the other may still call
    own->destroy();
    if (!meet()) return 1;
    MPI_Finalize();
    return 0;
}
