package org.ibidem.apps.sor;

import java.io.Serializable;
import java.util.Objects;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.serial.ObjectPolicy;

/// Cells of one row, as they travel where rows travel as objects.
final class RowPart implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int row;
    private final double[] cells;

    /// @param row which
    /// @param cells not copied
    RowPart(int row, double[] cells) {
        this.row = row;
        this.cells = cells;
    }

    /// Of the ports over which rows travel.
    static PortType type(PortType usual, Options options) {
        var type = usual.stack(options.stack());
        return options.objects() ? type.data(Data.OBJECT) : type;
    }

    /// Of a port that takes such objects, and nothing else.
    static ReceiveSetup setup() {
        return ReceiveSetup.USUAL.allow(
                ObjectPolicy.NOTHING_BUT_VALUES.allow(RowPart.class.getName()));
    }

    /// The cells that come next.
    ///
    /// @throws IllegalStateException when they are another row's
    static double[] read(ReadMessage message, int row) {
        var part = (RowPart) Objects.requireNonNull(message.readObject());
        if (part.row != row) {
            throw new IllegalStateException("row " + part.row + " came instead of row " + row);
        }
        return part.cells;
    }
}
