package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the command, the hub, the applications and the core log, as people see it.
class LogTest {
    private static final Pattern PLACE = Pattern.compile("\\{\\d+}");
    private static final String LOGGER = "java/lang/System$Logger";

    /// A call of a logger, and the text just before it.
    private record Line(String where, String text, String taken) {
        boolean isPattern() {
            return PLACE.matcher(text).find();
        }

        /// The text is a pattern only of calls that take parameters.
        boolean takesThrowable() {
            return taken.endsWith("Throwable;)V");
        }
    }

    @Test
    void a_pattern_goes_with_parameters_not_with_an_exception() throws IOException {
        var lines = lines();
        assertThat(lines.stream().filter(Line::isPattern)).hasSizeGreaterThan(20);
        assertThat(lines.stream().filter(line -> line.isPattern() && line.takesThrowable()))
                .as("these show {0} and a trace: hand over the exception's text")
                .isEmpty();
    }

    /// A single one quotes what follows, and is not shown.
    @Test
    @Tag("slow")
    void no_pattern_has_an_apostrophe() throws IOException {
        assertThat(lines().stream().filter(line -> line.isPattern() && line.text.contains("'")))
                .isEmpty();
    }

    private static List<Line> lines() throws IOException {
        var lines = new ArrayList<Line>();
        for (var found : NativeTest.CLASSES) {
            if (found.getPackageName().startsWith("org.ibidem")) {
                try (var in = found.getSource().orElseThrow().getUri().toURL().openStream()) {
                    var methods = ClassFile.of().parse(in.readAllBytes()).methods();
                    methods.forEach(method -> note(method, lines));
                }
            }
        }
        return lines;
    }

    private static void note(MethodModel method, List<Line> lines) {
        var text = "";
        for (var element : method.code().map(CodeModel::elementList).orElse(List.of())) {
            if (element instanceof LoadConstantInstruction load
                    && load.constantValue() instanceof String string) {
                text = PLACE.matcher(text).find() ? text : string;
            } else if (element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals(LOGGER)) {
                var where = method.parent().orElseThrow().thisClass().asInternalName();
                lines.add(new Line(where, text, call.type().stringValue()));
                text = "";
            } else if (element instanceof Instruction instruction && leaves(instruction)) {
                text = "";
            }
        }
    }

    private static boolean leaves(Instruction instruction) {
        return switch (instruction.opcode()) {
            case ATHROW, RETURN, ARETURN, IRETURN, GOTO -> true;
            default -> false;
        };
    }
}
