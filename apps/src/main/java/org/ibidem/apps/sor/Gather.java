package org.ibidem.apps.sor;

import java.util.Arrays;
import java.util.List;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;

/// Brings the field to rank 0: one message from each process, read while it is being written, so
/// that rank 0 holds one row at a time, whoever it comes from.
final class Gather implements AutoCloseable {
    private static final String NAME = "field";

    private final int ranks;
    private final int size;
    private final boolean objects;
    private final @Nullable ReceivePort in;
    private final SendPort out;

    /// Opens the ports of process `node.rank()` of `ranks`.
    Gather(Node node, Options options, int ranks) {
        var type = RowPart.type(PortType.manyToOne(), options);
        this.ranks = ranks;
        this.size = options.size();
        this.objects = options.objects();
        var setup = objects ? RowPart.setup() : ReceiveSetup.USUAL;
        this.in = node.rank() == 0 ? ReceivePort.open(node, type, NAME, setup) : null;
        this.out = SendPort.open(node, type, NAME);
    }

    /// Connects to rank 0, once it has its port.
    void connect(List<Member> members) {
        if (in == null) {
            out.connect(members.getFirst().id(), NAME);
        }
    }

    /// Gives the whole field to `reader` on rank 0, and sends this block there from all others.
    void gather(Block block, RowReader reader) {
        if (in == null) {
            send(block);
            return;
        }
        for (int row = block.first(); row < block.first() + block.rows(); row++) {
            reader.row(row, block.cells(), block.base(row));
        }
        for (int i = 1; i < ranks; i++) {
            receive(in, reader);
        }
    }

    private void send(Block block) {
        try (var message = out.newMessage()) {
            message.writeInt(block.first()).writeInt(block.rows());
            if (objects) {
                sendRows(block, message);
            } else {
                message.writeArray(block.cells(), block.base(block.first()), block.rows() * size);
            }
            message.finish();
        }
    }

    private void sendRows(Block block, WriteMessage message) {
        for (int row = block.first(); row < block.first() + block.rows(); row++) {
            int base = block.base(row);
            var cells = Arrays.copyOfRange(block.cells(), base, base + size);
            message.writeObject(new RowPart(row, cells));
        }
    }

    private void receive(ReceivePort in, RowReader reader) {
        var temperatures = new double[size];
        try (var message = in.receive()) {
            int first = message.readInt();
            int rows = message.readInt();
            for (int row = first; row < first + rows; row++) {
                if (objects) {
                    temperatures = RowPart.read(message, row);
                } else {
                    message.readArray(temperatures);
                }
                reader.row(row, temperatures, 0);
            }
        }
    }

    @Override
    public void close() {
        out.close();
        if (in != null) {
            in.close();
        }
    }
}
