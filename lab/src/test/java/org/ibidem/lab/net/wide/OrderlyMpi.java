package org.ibidem.lab.net.wide;

import mpi.MPI;
import mpi.MPIException;

/// Two ranks of MPI: the second one sends and ends at once, the first says `got mpi COUNT`.
public final class OrderlyMpi {
    static final int MESSAGES = 20;
    private static final int BYTES = 50_000;

    private OrderlyMpi() {}

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        var world = MPI.COMM_WORLD;
        var bytes = new byte[BYTES];
        int count = 0;
        for (int i = 0; i < MESSAGES; i++) {
            if (world.Rank() == 1) {
                world.Send(bytes, 0, BYTES, MPI.BYTE, 0, i);
            } else {
                count += world.Recv(bytes, 0, BYTES, MPI.BYTE, 1, i).Get_count(MPI.BYTE);
            }
        }
        System.out.println("got mpi " + count / BYTES);
        MPI.Finalize();
    }
}
