package org.ibidem.hub.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.Vectors;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.CommandCoding;
import org.ibidem.hub.pools.Image;
import org.ibidem.hub.pools.Limits;
import org.ibidem.hub.pools.Pools;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The folder of a hub as `docs/wire/journal.md` has it, byte for byte. The vectors were made from
/// that page by another program.
class JournalVectorsTest {
    private static final String POOL = "swim";
    private static final NodeId ID = NodeId.parse("00112233445566778899aabbccddeeff");
    private static final Member MEMBER =
            new Member(ID, 3, Location.parse("n1@left"), Tag.of((byte) 0xca, (byte) 0xfe));

    private static final Limits LIMITS = new Limits(30_000_000_000L, 256, 16 * 1024, 1024);

    @TempDir Path folder;

    private final Vectors vectors = Vectors.read("journal");

    JournalVectorsTest() throws IOException {}

    private Map<String, Command> commands() {
        var bytes = vectors.get("command attach");
        // kind, pool, session, length
        int at = 1 + 2 + POOL.length() + 8 + 2;
        int length = (bytes[at - 2] & 0xff) | (bytes[at - 1] & 0xff) << 8;
        var wish =
                (Request.Attach) RequestCoding.decode(Arrays.copyOfRange(bytes, at, at + length));
        var recalled =
                new Command.Recalled(
                        List.of(MEMBER), List.of(new PoolEvent.Elected("boss", MEMBER, 2)));
        var commands = new LinkedHashMap<String, Command>();
        commands.put("command attach", new Command.Attach(POOL, 5, wish, recalled, 77));
        commands.put("command leave", new Command.Leave(POOL, ID));
        commands.put(
                "command operate",
                new Command.Operate(POOL, ID, 9, List.of(7L, 8L), new Operation.Next("row", 4)));
        commands.put("command proved", new Command.Proved(POOL, ID, 5, "gone"));
        commands.put("command lost", new Command.Lost(POOL, ID, 5, "silent", 77));
        commands.put("command heard", new Command.Heard(POOL, ID, 5));
        commands.put("command expire", new Command.Expire(77));
        commands.put("command restart", new Command.Restart(77));
        return commands;
    }

    @Test
    void commands_are_the_bytes_of_the_vectors_both_ways() {
        commands()
                .forEach((name, command) -> {
                    assertThat(HexFormat.of().formatHex(CommandCoding.encode(command)))
                            .as(name)
                            .isEqualTo(HexFormat.of().formatHex(vectors.get(name)));
                    assertThat(CommandCoding.decode(vectors.get(name))).isEqualTo(command);
                });
        assertThat(commands().keySet())
                .containsExactlyElementsOf(vectors.starting("command ").keySet())
                .hasSize(Command.class.getPermittedSubclasses().length);
    }

    @Test
    void an_empty_state_is_the_image_of_the_vectors() {
        assertThat(Image.of(new Pools(0x0102030405060708L, LIMITS)))
                .isEqualTo(vectors.get("image"));
        assertThat(Image.of(Image.read(vectors.get("image"), LIMITS)))
                .isEqualTo(vectors.get("image"));
    }

    private List<byte[]> written() {
        return List.of(vectors.get("command leave"), vectors.get("command expire"));
    }

    @Test
    void a_file_is_written_as_the_vectors_have_it() {
        var beginning = JournalFile.beginning(3, vectors.get("image"));
        assertThat(beginning).isEqualTo(ByteBuffer.wrap(vectors.get("beginning")));
        assertThat(Unit.encode(3, 1, written())).isEqualTo(ByteBuffer.wrap(vectors.get("unit")));
    }

    @Test
    void a_file_of_the_vectors_is_read() throws IOException {
        var file = folder.resolve("journal-3");
        Files.write(file, vectors.get("beginning"));
        Files.write(file, vectors.get("unit"), StandardOpenOption.APPEND);
        try (var channel = FileChannel.open(file)) {
            var contents = JournalFile.read(file, channel, 3);
            assertThat(contents.image()).isEqualTo(vectors.get("image"));
            assertThat(contents.commands()).containsExactlyElementsOf(written());
            assertThat(contents.units()).isEqualTo(2);
            assertThat(contents.torn()).isZero();
            assertThat(contents.end()).isEqualTo(Files.size(file));
        }
    }
}
