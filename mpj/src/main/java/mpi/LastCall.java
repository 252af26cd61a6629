package mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.ibidem.config.Settings;

/// What this process has called last, kept where whoever has started it can read it after its
/// death: `ibidem run` says it of all when a job fails. One word, written at once, is all that a
/// call costs; of several threads it tells the last one's.
///
/// ```
///  63   62     56     48   32     0
/// | over | failed | call | of | peer | tag | then the names of calls, each ended by a line feed
/// ```
///
/// `of` is the call that began what is waited for.
@SuppressWarnings("EnumOrdinal") // the file has the names in that order
final class LastCall {
    /// In place of a peer.
    static final int ANY = 0xFFFF, NOBODY = 0xFFFE;

    private static final String FILE = "ibidem.mpj.last";
    private static final int SIZE = 4 << 10;
    private static final int NAMES = Long.BYTES;
    private static final int PEER = 32;
    private static final int OF = 48;
    private static final int CALL = 56;
    private static final long FAILED = 1L << 62;
    private static final long OVER = 1L << 63;

    /// Of what belongs to no process.
    static final LastCall NONE = unread();

    private final MemorySegment memory;

    private LastCall(MemorySegment memory) {
        this.memory = memory;
    }

    /// Read by nobody.
    static LastCall unread() {
        return new LastCall(Arena.ofAuto().allocate(Long.BYTES, Long.BYTES));
    }

    /// In the file that who has started this process reads.
    static LastCall ofProcess(Settings settings) {
        return settings.text(FILE).map(LastCall::in).orElseGet(LastCall::unread);
    }

    private static LastCall in(String file) {
        try (FileChannel channel =
                FileChannel.open(
                        Path.of(file),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            MemorySegment memory =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, Arena.ofAuto());
            byte[] names =
                    Arrays.stream(Call.values())
                            .map(call -> call.text + "\n")
                            .collect(Collectors.joining())
                            .getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(names, 0, memory, ValueLayout.JAVA_BYTE, NAMES, names.length);
            return new LastCall(memory);
        } catch (IOException e) {
            System.getLogger(LastCall.class.getName())
                    .log(System.Logger.Level.DEBUG, "nobody reads the last call", e);
            return unread();
        }
    }

    /// The process of a rank, which may be none.
    static int peer(int[] processes, int rank) {
        return rank >= 0 && rank < processes.length
                ? processes[rank]
                : rank == MPI.ANY_SOURCE ? ANY : NOBODY;
    }

    /// It has begun.
    ///
    /// @param peer a process, [#ANY] or [#NOBODY]
    /// @return by which its end is told
    long begin(Call call, int peer, int tag) {
        long word = (long) call.ordinal() << CALL | (peer & 0xFFFFL) << PEER | (tag & 0xFFFF_FFFFL);
        memory.set(ValueLayout.JAVA_LONG, 0, word);
        return word;
    }

    /// It has begun to wait for what another has begun.
    long begin(Call call, long other) {
        long of = (other & FAILED - 1) >>> CALL;
        long word = (long) call.ordinal() << CALL | of << OF | (other & (1L << OF) - 1);
        memory.set(ValueLayout.JAVA_LONG, 0, word);
        return word;
    }

    void over(long word) {
        memory.set(ValueLayout.JAVA_LONG, 0, word | OVER);
    }

    /// The call of this name, if it is the last one.
    void failed(String call) {
        long word = memory.get(ValueLayout.JAVA_LONG, 0);
        if (Call.values()[(int) ((word & FAILED - 1) >>> CALL)].name.equals(call)) {
            memory.set(ValueLayout.JAVA_LONG, 0, word | FAILED);
        }
    }
}
