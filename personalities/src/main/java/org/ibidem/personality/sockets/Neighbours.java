package org.ibidem.personality.sockets;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Settings;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Where programs of this machine listen that are reached through an agent, for programs and agents
/// of the same user: what connects to those goes there itself, and nothing is carried. A file for
/// each node, in a folder of this user alone:
///
/// ```
/// NETWORK PROCESS          the namespace of the network, and the agent's process
/// PORT ADDRESS             where somebody listens
/// ```
public final class Neighbours implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Neighbours.class.getName());
    private static final Path NETWORK = Path.of("/proc/self/ns/net");
    private static final String FILES = "wrap-";

    private final Path folder;
    private final Path own;
    private final String network;
    private final Map<Integer, String> ports = new TreeMap<>();

    /// What was read of others, and of which file.
    private final Map<NodeId, Read> read = new ConcurrentHashMap<>();

    private record Read(List<?> state, List<String> lines) {}

    /// Whether the folder is this user's alone.
    private boolean usable;

    /// Those of this machine.
    public Neighbours(NodeId self) {
        this(self, Settings.temporary());
    }

    Neighbours(NodeId self, Path folder) {
        this.folder = folder;
        this.own = folder.resolve(FILES + self);
        this.network = network();
        try {
            OwnFolder.make(folder);
            usable = true;
            removeStale();
        } catch (IOException e) {
            untold(e);
        }
    }

    private static String network() {
        try {
            return Files.readSymbolicLink(NETWORK).toString();
        } catch (IOException | UnsupportedOperationException _) {
            return "unknown";
        }
    }

    private static void untold(IOException e) {
        LOG.log(
                Level.INFO,
                "programs of this machine reach each other through their agents: {0}",
                e.toString());
    }

    private void removeStale() throws IOException {
        try (var files = Files.newDirectoryStream(folder, FILES + "*")) {
            for (var file : files) {
                var head = lines(file).getFirst().split(" ", -1);
                boolean here = head.length == 2 && head[0].equals(network);
                if (here
                        && head[1].matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(head[1])).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static List<String> lines(Path file) throws IOException {
        var lines = Files.readAllLines(file);
        return lines.isEmpty() ? List.of("") : lines;
    }

    /// A program of this node listens.
    public synchronized void listens(int port, InetSocketAddress at) {
        ports.put(port, at.getAddress().getHostAddress());
        write();
    }

    /// Nobody listens there any more.
    public synchronized void ended(int port) {
        ports.remove(port);
        write();
    }

    private void write() {
        if (!usable) {
            return;
        }
        var text = new StringBuilder();
        text.append(network).append(' ').append(ProcessHandle.current().pid()).append('\n');
        ports.forEach((port, at) -> text.append(port).append(' ').append(at).append('\n'));
        var next = folder.resolve("." + own.getFileName());
        try {
            Files.writeString(next, text);
            Files.move(next, own, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            untold(e);
        }
    }

    /// What stands in a node's file; it is read again when it is another one.
    private List<String> known(NodeId node) throws IOException {
        var file = folder.resolve(FILES + node);
        var now = Files.readAttributes(file, BasicFileAttributes.class);
        var state = List.of(String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size());
        var last = read.get(node);
        if (last == null || !last.state.equals(state)) {
            last = new Read(state, lines(file));
            read.put(node, last);
        }
        return last.lines;
    }

    /// Where a program listens on this port of a node; null where that is not of this machine, or
    /// not known.
    public @Nullable InetSocketAddress listening(NodeId node, int port) {
        if (!usable) {
            return null;
        }
        try {
            var lines = known(node);
            if (!lines.getFirst().startsWith(network + " ")) {
                return null;
            }
            for (var line : lines) {
                if (line.startsWith(port + " ")) {
                    var at = InetAddress.ofLiteral(line.substring(line.indexOf(' ') + 1));
                    return at instanceof Inet4Address ? new InetSocketAddress(at, port) : null;
                }
            }
        } catch (IOException | IllegalArgumentException _) {
            read.remove(node); // it is of another machine, or ends just now
        }
        return null;
    }

    @Override
    public synchronized void close() {
        try {
            Files.deleteIfExists(own);
        } catch (IOException _) {
            // who comes next removes it
        }
    }
}
