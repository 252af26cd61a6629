package org.ibidem.lab.mutate;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.ibidem.lab.mutate.Change.Place;

/// Makes mutants of one class file.
final class Mutator {
    /// What everybody has, and what a compiler writes.
    private static final Set<String> LEFT_ALONE =
            Set.of("toString", "hashCode", "values", "valueOf", "<clinit>");

    /// What may leave the code without sense.
    private static final Set<Change> UNSURE =
            EnumSet.of(Change.NOT_CAUGHT, Change.NOT_THROWN, Change.RETURNED);

    private final ClassFile files;
    private final ClassModel model;

    /// @param bytes of the class file
    /// @param loader that knows the classes it uses
    Mutator(byte[] bytes, ClassLoader loader) {
        var resolver =
                ClassHierarchyResolver.ofResourceParsing(loader)
                        .orElse(ClassHierarchyResolver.defaultResolver());
        files = ClassFile.of(ClassHierarchyResolverOption.of(resolver));
        model = files.parse(bytes);
    }

    /// All there are, in the order of the source.
    List<Mutant> mutants() {
        var mutants = new ArrayList<Mutant>();
        for (var method : model.methods()) {
            if (!method.flags().has(AccessFlag.BRIDGE)
                    && !LEFT_ALONE.contains(method.methodName().stringValue())
                    && !isMadeForRecord(method)) {
                add(method, mutants);
            }
        }
        mutants.sort(Comparator.comparingInt(Mutant::line));
        return mutants;
    }

    /// Nobody has written it: what a record has of itself has the line on which the record begins.
    private boolean isMadeForRecord(MethodModel method) {
        boolean isRecord =
                model.superclass()
                        .filter(type -> type.asInternalName().equals("java/lang/Record"))
                        .isPresent();
        return isRecord && lines(method).allMatch(line -> line == firstLine());
    }

    private int firstLine() {
        return model.methods().stream().flatMapToInt(Mutator::lines).min().orElse(0);
    }

    private static IntStream lines(MethodModel method) {
        return method.code().stream()
                .flatMap(CodeModel::elementStream)
                .filter(LineNumber.class::isInstance)
                .mapToInt(element -> ((LineNumber) element).line());
    }

    private void add(MethodModel method, List<Mutant> mutants) {
        var elements = method.code().map(CodeModel::elementList).orElse(List.<CodeElement>of());
        var handlers = handlers(elements);
        int line = 0;
        for (int at = 0; at < elements.size(); at++) {
            var element = elements.get(at);
            if (element instanceof LineNumber number) {
                line = number.line();
            }
            int its =
                    element instanceof ExceptionCatch caught
                            ? handlers.getOrDefault(caught.handler(), 0)
                            : line;
            var place = new Place(element, isUnheard(elements, at), method.methodTypeSymbol());
            boolean thrown = false;
            for (var change : Change.values()) {
                // What a constructor does first is to set what it was given.
                boolean left =
                        change == Change.NOT_SET && method.methodName().equalsString("<init>");
                if (!left && change.fits(place) && !(thrown && change == Change.RETURNED)) {
                    var mutant = mutant(method, at, its, change, element);
                    boolean can = !UNSURE.contains(change) || isSound(mutant);
                    thrown |= can && change == Change.NOT_THROWN;
                    if (can) {
                        mutants.add(mutant);
                    }
                }
            }
        }
    }

    /// The lines where errors that are caught are seen to.
    private static Map<Label, Integer> handlers(List<CodeElement> elements) {
        var lines = new HashMap<Label, Integer>();
        var open = new ArrayList<Label>();
        int line = 0;
        for (var element : elements) {
            if (element instanceof LabelTarget target) {
                open.add(target.label());
            } else if (element instanceof LineNumber number) {
                line = number.line();
            } else if (element instanceof Instruction) {
                for (var label : open) {
                    lines.put(label, line);
                }
                open.clear();
            }
        }
        return lines;
    }

    /// Whether this is a call, and what it gives is dropped at once.
    private static boolean isUnheard(List<CodeElement> elements, int at) {
        if (!(elements.get(at) instanceof InvokeInstruction)) {
            return false;
        }
        int next = at + 1;
        while (next < elements.size() && !(elements.get(next) instanceof Instruction)) {
            next++;
        }
        return next < elements.size()
                && elements.get(next) instanceof Instruction then
                && (then.opcode() == Opcode.POP || then.opcode() == Opcode.POP2);
    }

    /// Whether a JVM takes it: not where something is used then that is not there.
    private boolean isSound(Mutant mutant) {
        try {
            return files.verify(bytes(mutant)).isEmpty();
        } catch (IllegalArgumentException e) { // the stack does not fit to what follows
            return false;
        }
    }

    private Mutant mutant(
            MethodModel method, int at, int line, Change change, CodeElement element) {
        return new Mutant(
                model.thisClass().asInternalName().replace('/', '.'),
                method.methodName().stringValue(),
                method.methodTypeSymbol().descriptorString(),
                at,
                line,
                change,
                about(element));
    }

    private static String about(CodeElement element) {
        return switch (element) {
            case InvokeInstruction call -> call.name().stringValue();
            case FieldInstruction field -> field.name().stringValue();
            case ExceptionCatch caught ->
                    caught.catchType().map(type -> type.asInternalName()).orElse("");
            case Instruction other -> other.opcode().name().toLowerCase(java.util.Locale.ROOT);
            default -> "";
        };
    }

    /// The class file of one.
    byte[] bytes(Mutant mutant) {
        return files.transformClass(
                model,
                ClassTransform.transformingMethods(
                        method ->
                                method.methodName().equalsString(mutant.method())
                                        && method.methodTypeSymbol()
                                                .descriptorString()
                                                .equals(mutant.descriptor()),
                        MethodTransform.transformingCode(
                                CodeTransform.ofStateful(() -> new Replacement(mutant)))));
    }

    private static final class Replacement implements CodeTransform {
        private final Mutant mutant;
        private int at;

        Replacement(Mutant mutant) {
            this.mutant = mutant;
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (at++ == mutant.element()) {
                var method = MethodTypeDesc.ofDescriptor(mutant.descriptor());
                mutant.change().make(code, new Place(element, false, method));
            } else {
                code.with(element);
            }
        }
    }
}
