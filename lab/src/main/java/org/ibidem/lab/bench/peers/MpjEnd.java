package org.ibidem.lab.bench.peers;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.TreeNode;
import org.jspecify.annotations.Nullable;

/// One of two ranks.
final class MpjEnd implements End {
    private static final int TAG = 1;

    private final Intracomm world;
    private final int peer;
    private final long[] word = new long[1];
    private final Object[] object = new Object[1];
    private @Nullable Datatype vector;

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
            case Payload.Bytes it when it.pieces > 1 -> sendWindow(it);
            case Payload.Bytes it -> world.Send(it.data, 0, it.data.length, MPI.BYTE, peer, TAG);
            case Payload.Ints it -> world.Send(it.data, 0, it.data.length, MPI.INT, peer, TAG);
            case Payload.Doubles it when it.stride > 1 ->
                    world.Send(it.data, 0, 1, vector(it), peer, TAG);
            case Payload.Doubles it ->
                    world.Send(it.data, 0, it.data.length, MPI.DOUBLE, peer, TAG);
            case Payload.Tree it -> {
                object[0] = it.root;
                world.Send(object, 0, 1, MPI.OBJECT, peer, TAG);
            }
            case Payload.Five _ -> throw new IllegalArgumentException("it plays no five");
        }
    }

    private void sendWindow(Payload.Bytes it) {
        var requests = new Request[it.pieces];
        int size = it.data.length / it.pieces;
        for (int i = 0; i < it.pieces; i++) {
            requests[i] = world.Isend(it.data, i * size, size, MPI.BYTE, peer, TAG);
        }
        Request.Waitall(requests);
    }

    private void receiveWindow(Payload.Bytes it) {
        var requests = new Request[it.pieces];
        int size = it.data.length / it.pieces;
        for (int i = 0; i < it.pieces; i++) {
            requests[i] = world.Irecv(it.data, i * size, size, MPI.BYTE, peer, TAG);
        }
        Request.Waitall(requests);
    }

    private Datatype vector(Payload.Doubles it) {
        var known = vector;
        if (known == null) {
            known = Datatype.Vector(it.count(), 1, it.stride, MPI.DOUBLE);
            known.Commit();
            vector = known;
        }
        return known;
    }

    @Override
    public void receive(Payload payload) {
        switch (payload) {
            case Payload.Word it -> {
                world.Recv(word, 0, 1, MPI.LONG, peer, TAG);
                it.value = word[0];
            }
            case Payload.Bytes it when it.pieces > 1 -> receiveWindow(it);
            case Payload.Bytes it -> world.Recv(it.data, 0, it.data.length, MPI.BYTE, peer, TAG);
            case Payload.Ints it -> world.Recv(it.data, 0, it.data.length, MPI.INT, peer, TAG);
            case Payload.Doubles it when it.stride > 1 ->
                    world.Recv(it.data, 0, 1, vector(it), peer, TAG);
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
