package org.ibidem.satin;

import ibis.satin.Inlet;
import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.satin.rewrite.Rewriter;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.ibidem.serial.ProgramClasses;
import org.ibidem.serial.ReviewedThrowables;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Makes bytes of objects, and objects of bytes. All processes of a job run one user's program:
/// whatever comes is let in, but in a pool that has an authority only the classes of the program
/// itself, and those that the setting `ibidem.satin.allow` names.
final class Copies {
    private static final String OWN = "ibidem.satin.own";
    private static final String ALLOW = "ibidem.satin.allow";

    private final ObjectPolicy policy;

    /// Of what this process has written itself.
    private final ObjectPolicy ours;

    private final @Nullable Sharing sharing;

    /// @param policy what is let in of others
    /// @param sharing the process's shared objects, which are not copied but by its rules; none:
    ///   they are objects as any others
    Copies(ObjectPolicy policy, @Nullable Sharing sharing) {
        this.policy = policy;
        this.ours = policy.allowWhere(_ -> true);
        this.sharing = sharing;
    }

    /// What is let in of the other processes of a job.
    ///
    /// @param governed whether its pool has an authority
    /// @param loader where classes come from
    /// @throws IllegalArgumentException when a setting names no class, or no place of classes
    static ObjectPolicy policy(boolean governed, ClassLoader loader) {
        return governed
                ? ofProgram(Settings.system(), loader)
                : ObjectPolicy.NOTHING_BUT_VALUES.unsafelyAllowEverything().loader(loader);
    }

    /// The classes of the program itself, those that are made of them, Satin's, and exceptions of
    /// the JDK.
    static ObjectPolicy ofProgram(Settings settings, ClassLoader loader) {
        var own = ProgramClasses.own(settings, OWN);
        var satins =
                ObjectPolicy.NOTHING_BUT_VALUES
                        .allow(Job.class)
                        .allow(Write.class)
                        .allow(StandIn.class)
                        .allow(UncopiedResult.class)
                        .allow(SatinObject.class)
                        .allow(SharedObject.class)
                        .allow(Inlet.class);
        return ProgramClasses.allow(satins, settings.value(ALLOW, ""))
                .allowWhere(
                        name -> own.test(Rewriter.madeWith(name)) || ReviewedThrowables.has(name))
                .setBy(ALLOW)
                .loader(loader);
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

    /// @param by who has sent it; none: this process
    @Nullable Object read(byte[] bytes, @Nullable NodeId by)
            throws IOException, ClassNotFoundException {
        return sharing == null
                ? object(bytes, policy)
                : sharing.reading(by, () -> object(bytes, policy));
    }

    /// A copy for this process itself.
    @Nullable Object copy(Object graph) throws IOException, ClassNotFoundException {
        var bytes = write(graph);
        return sharing == null
                ? object(bytes, ours)
                : sharing.reading(null, () -> object(bytes, ours));
    }

    /// A copy for the program.
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    Serializable deepCopy(Serializable object) {
        try {
            return Objects.requireNonNull((Serializable) copy(object));
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException("cannot copy " + object.getClass() + ": " + e, e);
        }
    }

    private static @Nullable Object object(byte[] bytes, ObjectPolicy policy)
            throws IOException, ClassNotFoundException {
        try (var in = ObjectReader.from(MemorySegment.ofArray(bytes), policy)) {
            return in.read();
        }
    }

    /// What became of a job, as its spawner can read it.
    byte[] write(Outcome outcome) {
        try {
            return write(outcome.thrown() == null ? outcome.value() : outcome.thrown());
        } catch (IOException | RuntimeException | Error e) { // of the program's own classes
            throw new UncopiedResult(
                    "the "
                            + (outcome.thrown() == null ? "result" : "exception")
                            + " of a stolen job cannot be sent to where it was spawned: "
                            + IbidemException.describe(e),
                    e);
        }
    }

    /// The same where it is read.
    ///
    /// @param by who has sent it; none: this process
    Outcome outcome(byte[] bytes, boolean thrown, @Nullable NodeId by) {
        try {
            var object = read(bytes, by);
            return thrown ? new Outcome(null, (Throwable) object) : new Outcome(object, null);
        } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
            var why = "the result of a stolen job cannot be read: " + IbidemException.describe(e);
            return new Outcome(null, new UncopiedResult(why, e));
        }
    }
}
