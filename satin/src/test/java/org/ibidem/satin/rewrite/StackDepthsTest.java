package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.CodeModel;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.instruction.ReturnInstruction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Depths of the stack in methods of the JDK: where jumps lead, they are those that the compiler
/// has written down; where a method ends, what it returns is there and nothing else.
class StackDepthsTest {
    private static final int CLASSES = 200;

    @ParameterizedTest
    @ValueSource(strings = {"java/lang", "java/util", "java/math", "sun/security/provider"})
    void are_as_the_compiler_says(String folder) throws IOException {
        int compared = 0;
        for (var code : JdkMethods.of(folder, CLASSES)) {
            var listing = new Listing(code);
            var depths = new StackDepths(listing);
            compared += compareFrames(code, listing, depths);
            compareReturns(code, listing, depths);
        }
        assertThat(compared).isGreaterThan(500);
    }

    private static int compareFrames(CodeModel code, Listing listing, StackDepths depths) {
        var frames = code.findAttribute(Attributes.stackMapTable());
        if (frames.isEmpty()) {
            return 0;
        }
        var all = frames.get().entries();
        for (var frame : all) {
            assertThat(depths.at(listing.place(frame.target())))
                    .as("%s", code.parent())
                    .isEqualTo(depth(frame));
        }
        return all.size();
    }

    private static int depth(StackMapFrameInfo frame) {
        int depth = 0;
        for (var type : frame.stack()) {
            boolean isWide =
                    type.equals(SimpleVerificationTypeInfo.LONG)
                            || type.equals(SimpleVerificationTypeInfo.DOUBLE);
            depth += isWide ? 2 : 1;
        }
        return depth;
    }

    private static void compareReturns(CodeModel code, Listing listing, StackDepths depths) {
        for (int place = 0; place < listing.size(); place++) {
            if (listing.at(place) instanceof ReturnInstruction end) {
                assertThat(depths.at(place))
                        .as("%s", code.parent())
                        .isEqualTo(end.typeKind().slotSize());
            }
        }
    }
}
