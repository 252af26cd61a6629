package org.ibidem.satin.rewrite;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import org.jspecify.annotations.Nullable;

/// Has static initializers say when they begin and end, so that nothing is stolen that they spawn
/// by what they call: [org.ibidem.satin.Job#initializing].
final class Initializers {
    private static final ClassDesc LAMBDAS = ClassDesc.of("java.lang.invoke.LambdaMetafactory");

    private Initializers() {}

    /// Whether a class has a static initializer that calls more than the JDK, and does not say so
    /// yet. In class files without stack maps it stays as it is.
    static boolean isTouchy(ClassModel model) {
        return model.majorVersion() >= ClassFile.JAVA_7_VERSION
                && model.methods().stream().anyMatch(Initializers::isTouchy);
    }

    private static boolean isTouchy(MethodModel method) {
        var code = method.methodName().equalsString("<clinit>") ? method.code() : null;
        return code != null
                && code.isPresent()
                && code.get().elementStream().noneMatch(Initializers::says)
                && code.get().elementStream().anyMatch(Initializers::calls);
    }

    private static boolean says(CodeElement element) {
        return element instanceof InvokeInstruction call
                && call.owner().asSymbol().equals(Names.JOB)
                && call.name().equalsString("initializing");
    }

    private static boolean calls(CodeElement element) {
        return switch (element) {
            case InvokeInstruction call ->
                    !call.owner().asInternalName().startsWith("java/")
                            && !call.owner().asInternalName().startsWith("[");
            case InvokeDynamicInstruction call -> call.bootstrapMethod().owner().equals(LAMBDAS);
            default -> false;
        };
    }

    /// What changes such a class, and leaves others alone.
    static ClassTransform transform(ClassModel model) {
        return isTouchy(model)
                ? ClassTransform.transformingMethodBodies(
                        Initializers::isTouchy, CodeTransform.ofStateful(Saying::new))
                : ClassTransform.ACCEPT_ALL;
    }

    /// Of one initializer.
    private static final class Saying implements CodeTransform {
        private @Nullable Label start;

        private static CodeBuilder say(CodeBuilder code, boolean begins) {
            return code.loadConstant(begins ? 1 : 0)
                    .invokestatic(Names.JOB, "initializing", Names.INITIALIZING);
        }

        @Override
        public void atStart(CodeBuilder code) {
            say(code, true);
            start = code.newBoundLabel();
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                say(code, false);
            }
            code.with(element);
        }

        @Override
        public void atEnd(CodeBuilder code) {
            var end = code.newBoundLabel();
            if (start != null) {
                code.exceptionCatchAll(start, end, end);
            }
            say(code, false).athrow();
        }
    }
}
