package org.ibidem.rmi;

import java.io.ObjectStreamException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.ibidem.IbidemException;
import org.ibidem.port.Data;
import org.ibidem.port.LoopPorts;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.WriteMessage;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Outgoing;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.rmi.generate.Allowed;
import org.ibidem.rmi.generate.RemoteType;
import org.ibidem.rmi.generate.Stubs;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What another node may write as a call, or as a reply to one. Whatever comes, the arguments are
/// of the types that the method declares, or it is said what is wrong; and the next message is read
/// as it was written.
///
/// ```
/// | how, u8: 0 a call, 1 a reply with an int, 2 with a remote object | frame |
/// ```
public final class RmiFuzz {
    private static final int NEXT = 0x1d1be3;

    /// As in the vectors.
    private static final long OBJECT = 0x188;

    private static final Remote SERVED = new Served();
    private static final Exports EXPORTS = new Exports(new NodeId(1, 2));
    private static final RemoteType TYPE;
    private static final LoopPorts PORTS;

    static {
        var made = EXPORTS.add(SERVED, OBJECT, null);
        TYPE = made.types().getFirst();
        var allowed = new Allowed();
        allowed.addArguments(TYPE);
        allowed.addResults(TYPE);
        var policy =
                ObjectPolicy.NOTHING_BUT_VALUES
                        .allowWhere(allowed)
                        .loader(RmiFuzz.class.getClassLoader());
        var type = PortType.oneToOne().stack("loopback").data(Data.OBJECT);
        PORTS = LoopPorts.open(type, "calls", ReceiveSetup.USUAL.allow(policy));
    }

    /// What is called.
    public interface Called extends Remote {
        int add(int value) throws RemoteException;

        void nothing() throws RemoteException;

        Called give(Called other) throws RemoteException;

        String all(boolean one, byte[] some, String text, List<Called> others, Part part)
                throws RemoteException;
    }

    /// Of a class that a method names.
    public record Part(char letter, double[] numbers, @Nullable Part next)
            implements java.io.Serializable {}

    /// Uses what came as what it is said to be.
    private static final class Served implements Called {
        @Override
        public int add(int value) {
            return value + 1;
        }

        @Override
        public void nothing() {}

        @Override
        public Called give(Called other) {
            return other;
        }

        @Override
        public String all(boolean one, byte[] some, String text, List<Called> others, Part part) {
            int numbers = part == null || part.numbers == null ? 0 : part.numbers.length;
            int bytes = some == null ? 0 : some.length;
            return one + " " + bytes + (text == null ? "" : text.strip()) + numbers;
        }
    }

    /// Makes stubs that nobody calls.
    private static final class Known implements Exchange {
        @Override
        public Outgoing begin(Stub of, RemoteMethod method) {
            throw new AssertionError("nobody calls " + method);
        }

        @Override
        public Object standIn(Object object) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public Object resolve(Reference reference) throws ObjectStreamException {
            var loader = Objects.requireNonNull(RmiFuzz.class.getClassLoader());
            var types = RemoteType.named(reference.interfaces(), loader);
            return Stubs.of(types).stub(this, reference, CallSettings.USUAL);
        }
    }

    /// Reads a reply as its caller does.
    private static final class Reply extends Outgoing {
        Reply(String name) {
            super(
                    EXCHANGE,
                    TYPE.methods().stream()
                            .filter(each -> each.method().getName().equals(name))
                            .findFirst()
                            .orElseThrow());
        }

        void read(ReadMessage message) {
            byte word = message.readByte();
            message.readLong();
            switch (word) {
                case Words.RETURNED -> {
                    result(method().remoteResult(), message);
                    if (method().givesObject()) {
                        message.readBoolean();
                    }
                    boxed(method().remoteResult());
                }
                case Words.THREW -> {
                    message.readString();
                    if (message.readBoolean()) {
                        result(RemoteMethod.Kind.OBJECT, message);
                        message.readBoolean();
                    }
                }
                case Words.BAD_ARGUMENTS, Words.BAD_RESULT -> message.readString();
                default -> {}
            }
        }

        @Override
        protected void done() {
            throw new AssertionError("nobody calls");
        }

        @Override
        protected @Nullable Throwable perform(
                @Nullable WriteMessage arguments, @Nullable Throwable why) {
            throw new AssertionError("nobody calls");
        }

        @Override
        protected CompletableFuture<@Nullable Object> start(
                @Nullable WriteMessage arguments, @Nullable Throwable why) {
            throw new AssertionError("nobody calls");
        }
    }

    private static final Exchange EXCHANGE = new Known();

    private RmiFuzz() {}

    /// Called by the fuzzer before it counts the time: that this class is there makes the ports.
    public static void fuzzerInitialize() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
        int how = input.length == 0 ? 0 : input[0];
        PORTS.send(Arrays.copyOfRange(input, Math.min(1, input.length), input.length));
        try (var message = PORTS.out().newMessage()) {
            message.writeInt(NEXT).finish();
        }
        var before = Exchange.enter(EXCHANGE);
        try (var message = PORTS.in().receive()) {
            switch (how) {
                case 1 -> new Reply("add").read(message);
                case 2 -> new Reply("give").read(message);
                default -> call(message);
            }
        } catch (IbidemException | ClassCastException _) {
            // as it must be
        } finally {
            Exchange.enter(before);
        }
        try (var message = PORTS.in().receive()) {
            if (message.readInt() != NEXT) {
                throw new AssertionError("the next message is another");
            }
        }
    }

    private static void call(ReadMessage message) throws Throwable {
        byte word = message.readByte();
        message.readLong();
        if (word == Words.CANCEL || word == Words.RECEIVED) {
            return;
        }
        var exported = EXPORTS.of(message.readLong());
        var entry = exported == null ? null : exported.entry(message.readLong());
        if (entry == null) {
            return;
        }
        message.readLong();
        var call = entry.incoming().fresh();
        entry.reads(call, message);
        try {
            call.run(SERVED);
        } catch (Exception e) {
            throw new AssertionError("it was called with something else than it declares", e);
        }
    }
}
