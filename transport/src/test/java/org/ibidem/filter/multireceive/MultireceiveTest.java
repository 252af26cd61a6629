package org.ibidem.filter.multireceive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FanIn;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.junit.jupiter.api.Test;

class MultireceiveTest {
    private final List<FrameBox> boxes = List.of(new FrameBox(), new FrameBox(), new FrameBox());
    private final boolean[] broken = new boolean[3];
    private final List<Integer> lost = new ArrayList<>();
    private final Frame lent = new Frame();
    private final FanIn.Source source;

    MultireceiveTest() {
        var lowers = new ArrayList<FrameSource>();
        for (int i = 0; i < 3; i++) {
            lowers.add(lower(i));
        }
        source = new MultireceiveFilter().over(lowers, new Multireceive(), (i, _) -> lost.add(i));
    }

    private FrameSource lower(int i) {
        var box = boxes.get(i).source();
        return new FrameSource() {
            @Override
            public boolean poll(Frame frame) {
                if (broken[i]) {
                    throw new LinkBroken("broken");
                }
                return box.poll(frame);
            }

            @Override
            public void release() {
                box.release();
            }
        };
    }

    private void arrive(int box, int value, int flags) {
        boxes.get(box).arrive(new byte[] {(byte) value}, flags);
    }

    private int read() {
        return source.poll(lent) ? lent.memory.get(ValueLayout.JAVA_BYTE, lent.position) : -1;
    }

    @Test
    void each_has_its_turn() {
        for (int i = 0; i < 3; i++) {
            arrive(0, 10 + i, 0);
            arrive(1, 20 + i, 0);
        }
        arrive(2, 30, 0);
        assertThat(List.of(read(), read(), read(), read(), read(), read(), read(), read()))
                .containsExactly(20, 30, 10, 21, 11, 22, 12, -1);
    }

    @Test
    void a_message_is_read_to_its_end_before_another() {
        arrive(1, 20, Frame.MORE);
        assertThat(read()).isEqualTo(20);
        arrive(0, 10, 0);
        assertThat(read()).as("the rest is not there yet").isEqualTo(-1);
        arrive(1, 21, 0);
        assertThat(read()).isEqualTo(21);
        assertThat(read()).isEqualTo(10);
    }

    @Test
    void an_end_is_the_end_of_a_message_whatever_else_it_says() {
        arrive(1, 0, Frame.END | Frame.MORE);
        arrive(2, 30, 0);
        read();
        assertThat(read()).isEqualTo(30);
    }

    @Test
    void says_whose_frame_it_lent() {
        assertThat(source.lender()).isZero();
        arrive(2, 30, 0);
        read();
        assertThat(source.lender()).isEqualTo(2);
        arrive(1, 20, Frame.MORE);
        read();
        arrive(0, 10, 0);
        assertThat(read()).as("the rest is not there yet").isEqualTo(-1);
        assertThat(source.lender()).isEqualTo(1);
        broken[1] = true;
        assertThatThrownBy(this::read).isInstanceOf(LinkBroken.class);
        assertThat(source.lender()).as("who broke under its message").isEqualTo(1);
        read();
        assertThat(source.lender()).isZero();
        assertThat(read()).isEqualTo(-1);
        assertThat(source.lender()).as("while nothing comes").isZero();
    }

    @Test
    void one_that_breaks_between_messages_is_told_and_left_out() {
        arrive(0, 10, 0);
        arrive(2, 30, 0);
        broken[1] = true;
        assertThat(read()).isEqualTo(30);
        assertThat(read()).isEqualTo(10);
        assertThat(lost).containsExactly(1);
        assertThat(read()).isEqualTo(-1);
        assertThat(lost).containsExactly(1);
    }

    @Test
    void one_that_breaks_under_a_message_is_thrown_to_its_reader() {
        arrive(1, 20, Frame.MORE);
        assertThat(read()).isEqualTo(20);
        broken[1] = true;
        arrive(0, 10, 0);
        assertThatThrownBy(this::read).isInstanceOf(LinkBroken.class);
        assertThat(lost).isEmpty();
        assertThat(read()).isEqualTo(10);
    }
}
