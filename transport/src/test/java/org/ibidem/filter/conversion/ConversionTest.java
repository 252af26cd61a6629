package org.ibidem.filter.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.FrameBox;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.NoLower;
import org.ibidem.link.Terms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionTest {
    private static final ByteOrder FOREIGN =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                    ? ByteOrder.LITTLE_ENDIAN
                    : ByteOrder.BIG_ENDIAN;

    private final ConversionFilter filter = new ConversionFilter();
    private final FrameBox below = new FrameBox();
    private final Frame frame = new Frame();

    private static Terms terms(ByteOrder order) {
        return new Terms(order, 1000);
    }

    private ByteBuffer read() {
        var link = filter.over(below, 0, new Conversion(), new NoLower(terms(FOREIGN)));
        assertThat(link.source().poll(frame)).isTrue();
        var bytes = new byte[(int) frame.room()];
        MemorySegment.copy(
                frame.memory, ValueLayout.JAVA_BYTE, frame.position, bytes, 0, bytes.length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer run(ByteBuffer to, int kind, int count) {
        return to.order(ByteOrder.LITTLE_ENDIAN).putInt(kind << 24 | count).order(FOREIGN);
    }

    private static ByteBuffer array(ByteBuffer to, int kind, int count) {
        run(to, Run.ARRAY | kind, count);
        return to.order(ByteOrder.LITTLE_ENDIAN).putLong(count).order(FOREIGN);
    }

    private static ByteBuffer skip(ByteBuffer from, int kind, int count) {
        int tag = from.order(ByteOrder.LITTLE_ENDIAN).getInt();
        assertThat(Run.kind(tag)).isEqualTo(kind);
        assertThat(Run.count(tag)).isEqualTo(count);
        if (kind >= Run.ARRAY && kind <= Run.STRING) {
            assertThat(from.getLong()).isEqualTo(count);
        }
        return from.order(ByteOrder.nativeOrder());
    }

    private void arrive(ByteBuffer written) {
        var bytes = new byte[written.position()];
        written.flip().get(bytes);
        below.arrive(bytes, Frame.MORE);
    }

    @Test
    void every_kind_of_value_is_turned_and_lengths_tags_and_numbers_are_not() {
        var to = ByteBuffer.allocate(500);
        run(to, Run.NUMBER, 1).order(ByteOrder.LITTLE_ENDIAN).putLong(77);
        run(to, Run.BOOLEAN, 2).put((byte) 1).put((byte) 0);
        run(to, Run.BYTE, 1).put((byte) -2);
        run(to, Run.SHORT, 2).putShort((short) -3).putShort((short) 4);
        run(to, Run.CHAR, 1).putChar('€');
        run(to, Run.INT, 3).putInt(-5).putInt(6).putInt(7);
        run(to, Run.LONG, 1).putLong(1L << 40);
        run(to, Run.FLOAT, 1).putFloat(1.5f);
        run(to, Run.DOUBLE, 1).putDouble(-2.25);
        array(to, Run.INT, 2).putInt(8).putInt(9);
        array(to, Run.DOUBLE, 1).putDouble(10.5);
        array(to, Run.BYTE, 2).put((byte) 11).put((byte) 12);
        arrive(to);
        var got = read();
        assertThat(skip(got, Run.NUMBER, 1).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(77);
        assertThat(skip(got, Run.BOOLEAN, 2).get()).isEqualTo((byte) 1);
        got.get();
        assertThat(skip(got, Run.BYTE, 1).get()).isEqualTo((byte) -2);
        assertThat(skip(got, Run.SHORT, 2).getShort()).isEqualTo((short) -3);
        assertThat(got.getShort()).isEqualTo((short) 4);
        assertThat(skip(got, Run.CHAR, 1).getChar()).isEqualTo('€');
        assertThat(skip(got, Run.INT, 3).getInt()).isEqualTo(-5);
        assertThat(got.getInt()).isEqualTo(6);
        assertThat(got.getInt()).isEqualTo(7);
        assertThat(skip(got, Run.LONG, 1).getLong()).isEqualTo(1L << 40);
        assertThat(skip(got, Run.FLOAT, 1).getFloat()).isEqualTo(1.5f);
        assertThat(skip(got, Run.DOUBLE, 1).getDouble()).isEqualTo(-2.25);
        assertThat(skip(got, Run.ARRAY | Run.INT, 2).getInt()).isEqualTo(8);
        assertThat(got.getInt()).isEqualTo(9);
        assertThat(skip(got, Run.ARRAY | Run.DOUBLE, 1).getDouble()).isEqualTo(10.5);
        assertThat(skip(got, Run.ARRAY | Run.BYTE, 2).get()).isEqualTo((byte) 11);
        assertThat(got.remaining()).isEqualTo(1);
        assertThat(frame.flags).isEqualTo(Frame.MORE);
    }

    @Test
    void each_value_of_a_row_is_turned_by_itself() {
        var to = ByteBuffer.allocate(500);
        run(to, Run.ROW, 0x8B_CEDF).put((byte) 1).putShort((short) -2).putInt(3);
        to.putLong(-4).putFloat(1.5f).putDouble(-2.25);
        run(to, Run.ROW, 0xA9_0000).putChar('€').put((byte) 5);
        run(to, Run.INT, 1).putInt(6);
        arrive(to);
        var got = read();
        assertThat(skip(got, Run.ROW, 0x8B_CEDF).get()).isEqualTo((byte) 1);
        assertThat(got.getShort()).isEqualTo((short) -2);
        assertThat(got.getInt()).isEqualTo(3);
        assertThat(got.getLong()).isEqualTo(-4);
        assertThat(got.getFloat()).isEqualTo(1.5f);
        assertThat(got.getDouble()).isEqualTo(-2.25);
        assertThat(skip(got, Run.ROW, 0xA9_0000).getChar()).isEqualTo('€');
        assertThat(got.get()).isEqualTo((byte) 5);
        assertThat(skip(got, Run.INT, 1).getInt()).isEqualTo(6);
        assertThat(got.remaining()).isZero();
    }

    /// Without a value, with a gap, with a kind that is none, longer than its frame.
    @ParameterizedTest
    @ValueSource(ints = {0, 0xC0_C000, 0xC4_0000, 0x40_0000, 0xEE_0000})
    void a_row_that_is_none_breaks_the_link(int kinds) {
        var to = ByteBuffer.allocate(500);
        run(to, Run.INT, 1).putInt(1);
        run(to, Run.ROW, kinds).putLong(2);
        arrive(to);
        assertThatThrownBy(this::read)
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("no tag at byte 8");
        assertThat(below.closed).isTrue();
    }

    @Test
    void what_has_no_tags_breaks_the_link() {
        arrive(ByteBuffer.allocate(3).put(new byte[3]));
        assertThatThrownBy(this::read)
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("no tag at byte 0");
        assertThat(below.closed).isTrue();
    }

    @Test
    void is_left_out_where_the_orders_are_equal() {
        assertThat(filter.idle(below, new Conversion(), terms(ByteOrder.nativeOrder()))).isTrue();
        assertThat(filter.idle(below, new Conversion(), terms(FOREIGN))).isFalse();
    }
}
