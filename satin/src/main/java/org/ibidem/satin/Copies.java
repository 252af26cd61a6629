package org.ibidem.satin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.jspecify.annotations.Nullable;

/// Makes bytes of objects, and objects of bytes. All processes of a job run one user's program, so
/// whatever comes is let in.
final class Copies {
    private final ObjectPolicy policy;
    private final @Nullable Sharing sharing;

    /// @param loader where classes come from
    /// @param sharing the process's shared objects, which are not copied but by its rules; none:
    ///   they are objects as any others
    Copies(ClassLoader loader, @Nullable Sharing sharing) {
        this.policy = ObjectPolicy.NOTHING_BUT_VALUES.unsafelyAllowEverything().loader(loader);
        this.sharing = sharing;
    }

    byte[] write(@Nullable Object graph) throws IOException {
        return write(graph, null, new ArrayList<>());
    }

    /// @param to who is to read it; none: anybody
    /// @param given gets the shared objects whose state went along
    byte[] write(@Nullable Object graph, @Nullable Object to, List<Sharing.Copy> given)
            throws IOException {
        return sharing == null ? bytes(graph) : sharing.writing(to, given, () -> bytes(graph));
    }

    /// As whoever asks wants shared objects written.
    byte[] bytes(@Nullable Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        return bytes.toByteArray();
    }

    @Nullable Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        return sharing == null ? object(bytes) : sharing.reading(() -> object(bytes));
    }

    private @Nullable Object object(byte[] bytes) throws IOException, ClassNotFoundException {
        try (var in = ObjectReader.from(MemorySegment.ofArray(bytes), policy)) {
            return in.read();
        }
    }

    /// What became of a job, as its spawner can read it.
    byte[] write(Outcome outcome) {
        try {
            return write(outcome.thrown() == null ? outcome.value() : outcome.thrown());
        } catch (IOException | RuntimeException e) {
            throw new UncopiedResult(
                    "the "
                            + (outcome.thrown() == null ? "result" : "exception")
                            + " of a stolen job cannot be sent to where it was spawned: "
                            + e,
                    e);
        }
    }

    /// The same where it is read.
    Outcome outcome(byte[] bytes, boolean thrown) {
        try {
            var object = read(bytes);
            return thrown ? new Outcome(null, (Throwable) object) : new Outcome(object, null);
        } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException e) {
            return new Outcome(
                    null, new UncopiedResult("the result of a stolen job cannot be read: " + e, e));
        }
    }
}
