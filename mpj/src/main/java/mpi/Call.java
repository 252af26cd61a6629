package mpi;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a program may wait in, or tell others by.
enum Call {
    NONE(""),
    INIT("Init"),
    FINALIZE("Finalize"),
    SEND("Send to rank"),
    SSEND("Ssend to rank"),
    BSEND("Bsend to rank"),
    RSEND("Rsend to rank"),
    ISEND("Isend to rank"),
    ISSEND("Issend to rank"),
    IBSEND("Ibsend to rank"),
    IRSEND("Irsend to rank"),
    RECV("Recv from rank"),
    IRECV("Irecv from rank"),
    START_SEND("Start of a send to rank"),
    START_RECV("Start of a receive from rank"),
    PROBE("Probe of rank"),
    IPROBE("Iprobe of rank"),
    SENDRECV("Sendrecv"),
    SENDRECV_REPLACE("Sendrecv_replace"),
    WAIT("Wait"),
    TEST("Test"),
    WAITANY("Waitany or Waitsome"),
    TESTANY("Testany"),
    TESTSOME("Testsome"),
    TESTALL("Testall"),
    BUFFER_DETACH("Buffer_detach"),
    BARRIER("Barrier"),
    BCAST("Bcast from rank"),
    GATHER("Gather to rank"),
    GATHERV("Gatherv to rank"),
    SCATTER("Scatter from rank"),
    SCATTERV("Scatterv from rank"),
    ALLGATHER("Allgather"),
    ALLGATHERV("Allgatherv"),
    ALLTOALL("Alltoall"),
    ALLTOALLV("Alltoallv"),
    REDUCE("Reduce to rank"),
    ALLREDUCE("Allreduce"),
    REDUCE_SCATTER("Reduce_scatter"),
    SCAN("Scan"),
    SPLIT("Split"),
    CREATE("Create"),
    CLONE("clone"),
    CREATE_CART("Create_cart"),
    CREATE_GRAPH("Create_graph"),
    CREATE_INTERCOMM("Create_intercomm"),
    MERGE("Merge");

    private static final Map<String, Call> BY_NAME =
            Arrays.stream(values())
                    .collect(
                            Collectors.toMap(
                                    call -> call.name, Function.identity(), (one, _) -> one));

    /// As its method is called.
    final String name;

    /// The same for people, in front of a rank where there is one.
    final String text;

    Call(String text) {
        this.text = text;
        this.name = text.replaceFirst(" .*", "");
    }

    /// That of a method.
    static Call of(String name) {
        return BY_NAME.getOrDefault(name, NONE);
    }
}
