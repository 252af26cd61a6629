package org.ibidem.lab.badday;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.ibidem.hub.Hub;
import org.ibidem.link.Driver;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;

/// Two nodes in a process that has no descriptors left for a while.
final class FewDescriptors implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final List<String> STACKS = List.of("shm", "tcp");
    private static final int ECHOES = 3;
    static final int MANY = 100;

    /// Up to what a link needs at both its ends, with what waits for it.
    static final int FEW = 10;

    private final ArrayDeque<FileInputStream> eaten = new ArrayDeque<>();
    private final Node one;
    private final Node two;
    private final ServerSocketChannel server;

    private FewDescriptors(int hub) throws IOException {
        one = join(hub);
        two = join(hub);
        server = StreamServer.serve(two);
    }

    private static Node join(int hub) {
        return Node.join(Join.pool("few").hub("localhost:" + hub).limit(LIMIT));
    }

    /// Says `selector` and why there is none, for two kinds of links, then `connect` and what
    /// becomes of it for each kind, while few descriptors are left and while many are.
    public static void main(String[] arguments) throws Exception {
        load(
                List.of(
                        Hub.class,
                        SendPort.class,
                        Driver.class,
                        Frame.class,
                        Node.class,
                        VLinks.class,
                        VioSocket.class));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            keep("shm", hub.port(), MANY); // loads classes, of which those in folders need some
            keep("shm", hub.port(), 0);
            keep("tcp", hub.port(), 0);
            for (int left = 0; left < FEW; left++) {
                connect(hub.port(), left);
            }
            connect(hub.port(), MANY);
        } catch (Throwable e) {
            System.out.println("failed " + e);
        }
        while (System.in.read() >= 0) {} // ends when its parent does
        Runtime.getRuntime().halt(0);
    }

    private static void connect(int hub, int left) throws Exception {
        try (var few = new FewDescriptors(hub)) {
            for (var stack : left % 2 == 0 ? STACKS : STACKS.reversed()) {
                System.out.println("connect " + left + " " + few.connect(stack, left));
            }
        }
    }

    /// All that is beside these: a class in a folder needs a descriptor to be loaded.
    private static void load(List<Class<?>> samples) throws Exception {
        for (var sample : samples) {
            var at = Path.of(sample.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(at)) {
                try (var files = Files.walk(at)) {
                    for (var file :
                            files.filter(each -> each.toString().endsWith(".class")).toList()) {
                        var name = at.relativize(file).toString().replace('/', '.');
                        if (!name.endsWith("-info.class")) {
                            Class.forName(
                                    name.substring(0, name.length() - 6),
                                    false,
                                    sample.getClassLoader());
                        }
                    }
                }
            }
        }
    }

    private void eat(int left) {
        try {
            while (true) {
                eaten.push(new FileInputStream("/dev/null"));
            }
        } catch (IOException _) { // too many open files
            for (int i = 0; i < left; i++) {
                close(eaten.pop());
            }
        }
    }

    private void giveBack() {
        eaten.forEach(FewDescriptors::close);
        eaten.clear();
    }

    private static void close(FileInputStream one) {
        try {
            one.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private VioSocket connected(String stack) throws IOException {
        return VioSocket.connected(
                VLinks.of(one).connect(two.id(), StreamServer.SLEEPING, stack, "", LIMIT), 0);
    }

    private String connect(String stack, int left) throws Exception {
        String outcome;
        VioSocket socket = null;
        eat(left);
        try {
            socket = connected(stack);
            echo(socket);
            outcome = stack + " works";
        } catch (IOException e) {
            outcome = stack + " " + e.getCause();
        }
        giveBack();
        if (socket != null) {
            echo(socket);
        }
        echo(connected(stack));
        return outcome;
    }

    private static void echo(VioSocket socket) throws Exception {
        Background.run(
                        () -> {
                            for (int i = 0; i < ECHOES; i++) {
                                socket.write(new byte[] {(byte) i}, 0, 1);
                                var got = new byte[1];
                                require(socket.read(got, 0, 1, 0), 1);
                                require((int) got[0], i);
                            }
                        })
                .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void keep(String stack, int hub, int left) throws Exception {
        try (var few = new FewDescriptors(hub)) {
            few.keep(stack, left);
        }
    }

    /// What is there goes on, also where nobody has slept yet.
    private void keep(String stack, int left) throws Exception {
        var used = connected(stack);
        echo(used);
        var unused = connected(stack);
        var channel =
                new StreamExchange.Selecting(
                        StreamServer.connect(one, stack, two.rank(), StreamServer.port(server)));
        var type = PortType.oneToOne().stack(stack);
        try (var in = ReceivePort.open(two, type, stack);
                var out = SendPort.open(one, type, stack);
                var selector = channel.channel().provider().openSelector()) {
            out.connect(two.id(), stack);
            channel.channel().register(selector, SelectionKey.OP_READ);
            eat(left);
            echo(used);
            echo(unused);
            for (int i = 0; i < ECHOES; i++) {
                channel.channel().write(ByteBuffer.wrap(new byte[] {1}));
                selector.select();
                selector.selectedKeys().clear();
                require(channel.channel().read(ByteBuffer.allocate(2)), 1);
            }
            receive(out, in);
            eat(left); // what others may have given back meanwhile
            try (var other = channel.channel().provider().openSelector()) {
                System.out.println("opened " + other);
            } catch (IOException e) {
                System.out.println("selector " + e.getMessage());
            }
            giveBack();
            receive(out, in);
            var _ = ZoneId.systemDefault(); // which can be logged then
        }
        echo(used);
        echo(unused);
    }

    /// Once the receiver sleeps, as well as without a selector it can.
    private static void receive(SendPort out, ReceivePort in) throws Exception {
        for (int i = 0; i < ECHOES; i++) {
            var receiver =
                    new SleepingThread(
                            "receiver",
                            () -> {
                                try (var message = in.receive()) {
                                    return message.readInt();
                                }
                            });
            SleepingThread.awaitAsleep(List.of(receiver));
            try (var message = out.newMessage()) {
                message.writeInt(i).finish();
            }
            require(receiver.outcome(LIMIT.toMillis()), i);
        }
    }

    private static void require(Object found, int expected) {
        if (!found.equals(expected)) {
            throw new IllegalStateException(found + " instead of " + expected);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        one.close();
        two.close();
    }
}
