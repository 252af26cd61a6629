package org.ibidem.apps.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;
import org.ibidem.topology.NodeId;

/// Letters as messages: kind, attempt, then the fields in their order.
final class LetterCoding {
    private LetterCoding() {}

    static void write(Letter letter, WriteMessage to) {
        switch (letter) {
            case Letter.Ask _ -> head(to, 1, letter);
            case Letter.Hold hold -> {
                head(to, 2, letter).writeBoolean(hold.leaving()).writeInt(hold.held().size());
                for (var held : hold.held()) {
                    to.writeInt(held.generation()).writeInt(held.first()).writeInt(held.count());
                }
            }
            case Letter.Work work -> write(work.plan(), head(to, 3, letter));
            case Letter.Rows rows -> write(rows.strip(), head(to, 4, letter));
            case Letter.Copy copy -> write(copy.strip(), head(to, 5, letter));
            case Letter.Edge edge -> write(edge.strip(), head(to, 6, letter));
            case Letter.Done done -> head(to, 7, letter).writeLong(done.population());
            case Letter.Trouble _ -> head(to, 8, letter);
            case Letter.Release _ -> head(to, 9, letter);
        }
    }

    private static WriteMessage head(WriteMessage to, int kind, Letter letter) {
        return to.writeInt(kind).writeLong(letter.attempt());
    }

    private static void write(Strip strip, WriteMessage to) {
        to.writeInt(strip.generation()).writeInt(strip.first()).writeInt(strip.rows().length);
        for (var row : strip.rows()) {
            to.writeArray(row);
        }
    }

    private static void write(Plan plan, WriteMessage to) {
        to.writeInt(plan.generation()).writeInt(plan.floor()).writeInt(plan.steps());
        to.writeInt(plan.blocks().size());
        for (var block : plan.blocks()) {
            to.writeString(block.owner().toString());
            to.writeInt(block.first()).writeInt(block.count());
        }
        to.writeInt(plan.transfers().size());
        for (var transfer : plan.transfers()) {
            to.writeString(transfer.from().toString()).writeString(transfer.to().toString());
            to.writeInt(transfer.first()).writeInt(transfer.count());
        }
    }

    /// Reads one.
    ///
    /// @param size cells in a row
    static Letter read(ReadMessage from, int size) {
        int kind = from.readInt();
        long attempt = from.readLong();
        return switch (kind) {
            case 1 -> new Letter.Ask(attempt);
            case 2 ->
                    new Letter.Hold(
                            attempt,
                            from.readBoolean(),
                            list(
                                    from,
                                    () ->
                                            new Strip.Held(
                                                    from.readInt(),
                                                    from.readInt(),
                                                    from.readInt())));
            case 3 -> new Letter.Work(attempt, plan(from));
            case 4 -> new Letter.Rows(attempt, strip(from, size));
            case 5 -> new Letter.Copy(attempt, strip(from, size));
            case 6 -> new Letter.Edge(attempt, strip(from, size));
            case 7 -> new Letter.Done(attempt, from.readLong());
            case 8 -> new Letter.Trouble(attempt);
            case 9 -> new Letter.Release(attempt);
            default -> throw new BadJob("a letter of kind " + kind + ": all must be one version");
        };
    }

    private static Strip strip(ReadMessage from, int size) {
        int generation = from.readInt();
        int first = from.readInt();
        int count = from.readInt();
        if (count < 0 || count > size) {
            throw new BadJob(count + " rows: all must have the same --size");
        }
        var rows = new byte[count][size];
        for (var row : rows) {
            from.readArray(row);
        }
        return new Strip(generation, first, rows);
    }

    private static Plan plan(ReadMessage from) {
        return new Plan(
                from.readInt(),
                from.readInt(),
                from.readInt(),
                list(from, () -> new Plan.Block(id(from), from.readInt(), from.readInt())),
                list(
                        from,
                        () ->
                                new Plan.Transfer(
                                        id(from), id(from), from.readInt(), from.readInt())));
    }

    private static NodeId id(ReadMessage from) {
        return NodeId.parse(Objects.requireNonNull(from.readString(), "a node without an id"));
    }

    private static <T> List<T> list(ReadMessage from, Supplier<T> element) {
        var list = new ArrayList<T>();
        for (int left = from.readInt(); left > 0; left--) {
            list.add(element.get());
        }
        return list;
    }
}
