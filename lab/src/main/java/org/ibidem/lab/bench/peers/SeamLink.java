package org.ibidem.lab.bench.peers;

import java.io.IOException;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.BufferPool;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.link.Catalog;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;

/// The seam alone: frames claimed, filled and committed by hand over a stack, without messages,
/// ports or nodes. What messages and ports cost is the difference to [IbidemPorts] over the same
/// stack.
///
/// @param name what the tables call it
/// @param stack in the stack notation; over frames
public record SeamLink(String name, String stack) implements Contestant {
    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return "the seam alone, by hand: " + stack;
    }

    @Override
    public boolean plays(Measure measure) {
        return !(measure.payload().get() instanceof Payload.Tree);
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var tasks = new Threads(name);
        var catalog = Catalog.found();
        var link =
                Stack.parse(stack, catalog)
                        .build(
                                new Domains(catalog, tasks, false),
                                Landing.at(meeting, tasks),
                                new BufferPool());
        return new Loop(new SeamEnd(link, tasks));
    }
}
