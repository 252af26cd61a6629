package org.ibidem.lab.bench.peers;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import mpi.Intracomm;
import mpi.MPI;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.TreeNode;

/// One of two ranks.
final class MpjEnd implements End {
    private static final int TAG = 1;

    private final Intracomm world;
    private final int peer;
    private final long[] word = new long[1];
    private final Object[] object = new Object[1];

    MpjEnd(Intracomm world, int peer) {
        this.world = world;
        this.peer = peer;
    }

    @Override
    public End alone() {
        return Copies.of(MethodHandles.lookup(), this, world, peer);
    }

    @Override
    public void send(Payload payload) {
        switch (payload) {
            case Payload.Word it -> {
                word[0] = it.value;
                world.Send(word, 0, 1, MPI.LONG, peer, TAG);
            }
            case Payload.Bytes it -> world.Send(it.data, 0, it.data.length, MPI.BYTE, peer, TAG);
            case Payload.Ints it -> world.Send(it.data, 0, it.data.length, MPI.INT, peer, TAG);
            case Payload.Doubles it ->
                    world.Send(it.data, 0, it.data.length, MPI.DOUBLE, peer, TAG);
            case Payload.Tree it -> {
                object[0] = it.root;
                world.Send(object, 0, 1, MPI.OBJECT, peer, TAG);
            }
            case Payload.Five _ -> throw new IllegalArgumentException("it plays no five");
        }
    }

    @Override
    public void receive(Payload payload) {
        switch (payload) {
            case Payload.Word it -> {
                world.Recv(word, 0, 1, MPI.LONG, peer, TAG);
                it.value = word[0];
            }
            case Payload.Bytes it -> world.Recv(it.data, 0, it.data.length, MPI.BYTE, peer, TAG);
            case Payload.Ints it -> world.Recv(it.data, 0, it.data.length, MPI.INT, peer, TAG);
            case Payload.Doubles it ->
                    world.Recv(it.data, 0, it.data.length, MPI.DOUBLE, peer, TAG);
            case Payload.Tree it -> {
                world.Recv(object, 0, 1, MPI.OBJECT, peer, TAG);
                it.root = Objects.requireNonNull((TreeNode) object[0]);
            }
            case Payload.Five _ -> throw new IllegalArgumentException("it plays no five");
        }
    }

    @Override
    public void close() {
        MPI.Finalize();
    }
}
