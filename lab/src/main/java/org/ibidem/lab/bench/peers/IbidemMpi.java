package org.ibidem.lab.bench.peers;

import java.io.IOException;
import mpi.MPI;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;

/// Our MPI as a program has it: `Send` and `Recv` on the world of two ranks.
///
/// @param stack of its links, in the stack notation
/// @param waiting spinning, as MPI in C does, or as jobs do unless told otherwise
public record IbidemMpi(String stack, Waiting waiting) implements Contestant {
    @Override
    public String name() {
        return "ibidem-mpj-" + stack + (waiting == Waiting.SPIN ? "" : "-usual");
    }

    @Override
    public String about() {
        return "package mpi over " + stack + ", Send and Recv; the tree as MPI.OBJECT";
    }

    @Override
    public boolean plays(Measure measure) {
        return !(measure.payload().get() instanceof Payload.Five);
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        int hub;
        if (meeting.leads()) {
            hub = Hub.start(Hub.Options.DEFAULT.port(0)).port(); // lives as long as the process
            meeting.tell(Integer.toString(hub));
        } else {
            hub = Integer.parseInt(meeting.hear());
        }
        System.setProperty("ibidem.hub", "127.0.0.1:" + hub);
        System.setProperty("ibidem.pool", "mpj");
        System.setProperty("ibidem.size", "2");
        System.setProperty("ibidem.rank", meeting.leads() ? "0" : "1");
        if (waiting == Waiting.SPIN) {
            System.setProperty("ibidem.wait", "spin");
        }
        System.setProperty("ibidem.mpj.stack", stack);
        MPI.Init(new String[0]);
        return new Loop(new MpjEnd(MPI.COMM_WORLD, 1 - MPI.COMM_WORLD.Rank()));
    }
}
