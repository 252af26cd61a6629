package org.ibidem.lab.mutate;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Makes mutants of one class file.
final class Mutator {
    /// What everybody has, and what a compiler writes.
    private static final Set<String> LEFT_ALONE =
            Set.of("toString", "hashCode", "values", "valueOf", "<clinit>");

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
                    && !LEFT_ALONE.contains(method.methodName().stringValue())) {
                add(method, mutants);
            }
        }
        return mutants;
    }

    private void add(MethodModel method, List<Mutant> mutants) {
        var code = method.code().orElse(null);
        int line = 0;
        int at = 0;
        for (var element : code == null ? List.<CodeElement>of() : code.elementList()) {
            if (element instanceof LineNumber number) {
                line = number.line();
            }
            for (var change : Change.values()) {
                // What a constructor does first is to set what it was given.
                boolean left =
                        change == Change.NOT_SET && method.methodName().equalsString("<init>");
                if (!left && change.fits(element, method.methodTypeSymbol())) {
                    mutants.add(mutant(method, at, line, change, element));
                }
            }
            at++;
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
                mutant.change().make(code, element);
            } else {
                code.with(element);
            }
        }
    }
}
