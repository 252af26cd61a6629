package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import mpjbuf.Buffer;
import mpjbuf.BufferException;
import mpjbuf.BufferFactory;
import mpjbuf.Type;
import org.junit.jupiter.api.Test;

/// Pack and Unpack, into arrays and into buffers, and buffers of two sections.
class PackingTest {
    @Test
    void values_of_several_types_in_an_array_of_bytes() {
        Ranks.run(
                2,
                world -> {
                    byte[] packed = new byte[1000];
                    Datatype column = Datatype.Vector(2, 1, 3, MPI.DOUBLE);
                    column.Commit();
                    if (world.Rank() == 0) {
                        int at = world.Pack(new int[] {1, 2, 3}, 1, 2, MPI.INT, packed, 0);
                        assertThat(at).isEqualTo(world.Pack_size(2, MPI.INT)).isEqualTo(8);
                        at = world.Pack(new Object[] {"text", null}, 0, 2, MPI.OBJECT, packed, at);
                        at = world.Pack(new double[] {1, 0, 0, 2}, 0, 1, column, packed, at);
                        world.Send(new int[] {at}, 0, 1, MPI.INT, 1, 0);
                        world.Send(packed, 0, at, MPI.PACKED, 1, 0);
                    } else {
                        int[] size = new int[1];
                        world.Recv(size, 0, 1, MPI.INT, 0, 0);
                        assertThat(
                                        world.Recv(packed, 0, 1000, MPI.PACKED, 0, 0)
                                                .Get_count(MPI.PACKED))
                                .isEqualTo(size[0]);
                        int[] ints = new int[2];
                        Object[] objects = {1, 1};
                        double[] doubles = new double[2];
                        int at = world.Unpack(packed, 0, ints, 0, 2, MPI.INT);
                        at = world.Unpack(packed, at, objects, 0, 2, MPI.OBJECT);
                        assertThat(world.Unpack(packed, at, doubles, 0, 2, MPI.DOUBLE))
                                .isEqualTo(size[0]);
                        assertThat(ints).containsExactly(2, 3);
                        assertThat(objects).containsExactly("text", null);
                        assertThat(doubles).containsExactly(1, 2);
                    }
                });
    }

    @Test
    void what_is_packed_of_one_type_is_received_as_that_and_the_other_way_round() {
        Ranks.run(
                2,
                world -> {
                    if (world.Rank() == 0) {
                        byte[] packed = new byte[8];
                        world.Pack(new float[] {1, 2}, 0, 2, MPI.FLOAT, packed, 0);
                        world.Send(packed, 0, 8, MPI.PACKED, 1, 0);
                        world.Send(new float[] {3, 4}, 0, 2, MPI.FLOAT, 1, 0);
                    } else {
                        float[] values = new float[2];
                        world.Recv(values, 0, 2, MPI.FLOAT, 0, 0);
                        assertThat(values).containsExactly(1, 2);
                        byte[] packed = new byte[8];
                        world.Recv(packed, 0, 8, MPI.PACKED, 0, 0);
                        world.Unpack(packed, 0, values, 0, 2, MPI.FLOAT);
                        assertThat(values).containsExactly(3, 4);
                    }
                });
    }

    @Test
    void a_buffer_as_programs_of_mpj_express_make_it() {
        Ranks.run(
                2,
                world -> {
                    int room = 500;
                    Buffer buffer =
                            new Buffer(
                                    BufferFactory.create(room + MPI.SEND_OVERHEAD),
                                    MPI.SEND_OVERHEAD,
                                    room + MPI.SEND_OVERHEAD);
                    if (world.Rank() == 0) {
                        int at = world.Pack(new int[] {10}, 0, 1, MPI.INT, buffer, 0);
                        at =
                                world.Pack(
                                        new Object[] {List.of("a", "b")},
                                        0,
                                        1,
                                        MPI.OBJECT,
                                        buffer,
                                        at);
                        world.Send(buffer, 0, at, MPI.PACKED, 1, 99);
                    } else {
                        world.Recv(buffer, 0, room, MPI.PACKED, 0, 99);
                        int[] number = new int[1];
                        Object[] list = new Object[1];
                        int at = world.Unpack(buffer, 0, number, 0, 1, MPI.INT);
                        assertThat(world.Unpack(buffer, at, list, 0, 1, MPI.OBJECT))
                                .isEqualTo(buffer.getSize());
                        assertThat(number).containsExactly(10);
                        assertThat(list).containsExactly(List.of("a", "b"));
                    }
                    BufferFactory.destroy(buffer.getStaticBuffer());
                });
    }

    private static Buffer written() throws BufferException {
        Buffer buffer = new Buffer(300);
        buffer.putSectionHeader(Type.INT);
        buffer.write(new int[] {1, 2, 3}, 0, 3);
        buffer.gather(new int[] {10, 20, 30}, 2, 1, new int[] {0, 2, 1});
        buffer.putSectionHeader(Type.OBJECT);
        buffer.write(new Object[] {"one", null}, 0, 2);
        buffer.putSectionHeader(Type.BOOLEAN);
        buffer.write(new boolean[] {true, false}, 0, 2);
        buffer.putSectionHeader(Type.OBJECT);
        buffer.write(new Object[] {List.of(7)}, 0, 1);
        return buffer;
    }

    private static void check(Buffer buffer) throws BufferException {
        buffer.commit();
        int[] ints = new int[5];
        assertThat(buffer.getSectionHeader()).isSameAs(Type.INT);
        assertThat(buffer.getSectionSize()).isEqualTo(5);
        buffer.read(ints, 0, 3);
        buffer.scatter(ints, 2, 0, new int[] {4, 3});
        assertThat(ints).containsExactly(1, 2, 3, 20, 30);
        Object[] objects = new Object[2];
        assertThat(buffer.getSectionHeader()).isSameAs(Type.OBJECT);
        buffer.read(objects, 0, 2);
        assertThat(objects).containsExactly("one", null);
        boolean[] booleans = new boolean[2];
        buffer.getSectionHeader();
        buffer.read(booleans, 0, 2);
        assertThat(booleans).containsExactly(true, false);
        buffer.getSectionHeader();
        buffer.read(objects, 1, 1);
        assertThat(objects).containsExactly("one", List.of(7));
        assertThatThrownBy(buffer::getSectionHeader).isInstanceOf(BufferException.class);
    }

    @Test
    void primitives_and_objects_go_in_one_message() {
        Ranks.run(
                2,
                world -> {
                    if (world.Rank() == 0) {
                        Buffer buffer = written();
                        world.Send(buffer, 0, buffer.getSize(), MPI.PACKED, 1, 0);
                        check(buffer);
                        world.Send(buffer, 0, buffer.getSize(), MPI.PACKED, 1, 0);
                    } else {
                        world.Errorhandler_set(MPI.ERRORS_RETURN);
                        Buffer buffer = new Buffer(1000);
                        world.Recv(buffer, 0, 1000, MPI.PACKED, 0, 0);
                        check(buffer);
                        assertThatThrownBy(
                                        () -> world.Recv(new byte[1000], 0, 1000, MPI.PACKED, 0, 0))
                                .hasMessageContaining("there are objects in the message");
                    }
                });
    }

    @Test
    void a_buffer_says_what_is_wrong() throws BufferException {
        Buffer buffer = new Buffer(20);
        assertThatThrownBy(() -> buffer.write(new int[1], 0, 1))
                .hasMessage("a value of INT in no section");
        buffer.putSectionHeader(Type.INT);
        assertThatThrownBy(() -> buffer.write(new long[1], 0, 1))
                .hasMessage("a value of LONG in a section of INT");
        assertThatThrownBy(() -> buffer.write(new int[4], 0, 4))
                .hasMessageContaining("packing takes 16 bytes at 8");
        buffer.write(new int[3], 0, 3);
        assertThatThrownBy(() -> buffer.putSectionHeader(Type.INT)).hasMessageContaining("no room");
        buffer.commit();
        buffer.getSectionHeader();
        assertThatThrownBy(() -> buffer.read(new int[4], 0, 4))
                .hasMessage("the section has 3 values left, not 4");
    }
}
