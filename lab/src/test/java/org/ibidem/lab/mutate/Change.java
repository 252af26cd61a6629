package org.ibidem.lab.mutate;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/// What may be changed about one instruction.
enum Change {
    /// A condition is the other way round.
    NEGATED("condition negated") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof BranchInstruction branch && operands(branch.opcode()) > 0;
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            var branch = (BranchInstruction) element;
            code.branch(OTHERS.get(branch.opcode()), branch.target());
        }
    },

    /// A condition is dropped: what it guards is never done, or always.
    NEVER("branch never taken") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return NEGATED.fits(element, method);
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            popAll(code, (BranchInstruction) element);
        }
    },

    /// The same, the other way round.
    ALWAYS("branch always taken") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return NEGATED.fits(element, method);
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            popAll(code, (BranchInstruction) element);
            code.goto_(((BranchInstruction) element).target());
        }
    },

    /// A limit is one further.
    LIMIT("limit moved by one") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof BranchInstruction branch
                    && LIMITS.containsKey(branch.opcode());
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            var branch = (BranchInstruction) element;
            code.branch(LIMITS.get(branch.opcode()), branch.target());
        }
    },

    /// A call that gives nothing is not made: a wake-up, a release, a note.
    NOT_CALLED("not called") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof InvokeInstruction call
                    && call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !call.name().equalsString("<init>")
                    && !call.owner().asInternalName().equals("java/lang/System$Logger");
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            var call = (InvokeInstruction) element;
            var types = call.typeSymbol().parameterList();
            types.reversed().forEach(type -> pop(code, type));
            if (call.opcode() != Opcode.INVOKESTATIC) {
                code.pop();
            }
        }
    },

    /// A state is not changed.
    NOT_SET("not set") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof FieldInstruction field
                    && (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC);
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            var field = (FieldInstruction) element;
            pop(code, field.typeSymbol());
            if (field.opcode() == Opcode.PUTFIELD) {
                code.pop();
            }
        }
    },

    /// An answer is the other one.
    DENIED("answer negated") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof ReturnInstruction back
                    && back.typeKind() == TypeKind.INT
                    && method.returnType().equals(ConstantDescs.CD_boolean);
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            code.iconst_1().ixor().ireturn();
        }
    },

    /// More is less.
    MINUS("plus and minus exchanged") {
        @Override
        boolean fits(CodeElement element, MethodTypeDesc method) {
            return element instanceof OperatorInstruction operator
                    && SUMS.containsKey(operator.opcode());
        }

        @Override
        void make(CodeBuilder code, CodeElement element) {
            switch (SUMS.get(((OperatorInstruction) element).opcode())) {
                case IADD -> code.iadd();
                case ISUB -> code.isub();
                case LADD -> code.ladd();
                default -> code.lsub();
            }
        }
    };

    private static final Map<Opcode, Opcode> OTHERS =
            Map.ofEntries(
                    Map.entry(Opcode.IFEQ, Opcode.IFNE),
                    Map.entry(Opcode.IFNE, Opcode.IFEQ),
                    Map.entry(Opcode.IFLT, Opcode.IFGE),
                    Map.entry(Opcode.IFGE, Opcode.IFLT),
                    Map.entry(Opcode.IFGT, Opcode.IFLE),
                    Map.entry(Opcode.IFLE, Opcode.IFGT),
                    Map.entry(Opcode.IFNULL, Opcode.IFNONNULL),
                    Map.entry(Opcode.IFNONNULL, Opcode.IFNULL),
                    Map.entry(Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE),
                    Map.entry(Opcode.IF_ICMPNE, Opcode.IF_ICMPEQ),
                    Map.entry(Opcode.IF_ICMPLT, Opcode.IF_ICMPGE),
                    Map.entry(Opcode.IF_ICMPGE, Opcode.IF_ICMPLT),
                    Map.entry(Opcode.IF_ICMPGT, Opcode.IF_ICMPLE),
                    Map.entry(Opcode.IF_ICMPLE, Opcode.IF_ICMPGT),
                    Map.entry(Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE),
                    Map.entry(Opcode.IF_ACMPNE, Opcode.IF_ACMPEQ));

    private static final Map<Opcode, Opcode> LIMITS =
            Map.of(
                    Opcode.IFLT, Opcode.IFLE,
                    Opcode.IFLE, Opcode.IFLT,
                    Opcode.IFGT, Opcode.IFGE,
                    Opcode.IFGE, Opcode.IFGT,
                    Opcode.IF_ICMPLT, Opcode.IF_ICMPLE,
                    Opcode.IF_ICMPLE, Opcode.IF_ICMPLT,
                    Opcode.IF_ICMPGT, Opcode.IF_ICMPGE,
                    Opcode.IF_ICMPGE, Opcode.IF_ICMPGT);

    private static final Map<Opcode, Opcode> SUMS =
            Map.of(
                    Opcode.IADD, Opcode.ISUB,
                    Opcode.ISUB, Opcode.IADD,
                    Opcode.LADD, Opcode.LSUB,
                    Opcode.LSUB, Opcode.LADD);

    private final String text;

    Change(String text) {
        this.text = text;
    }

    /// Whether there is such an instruction to change.
    abstract boolean fits(CodeElement element, MethodTypeDesc method);

    /// Puts the changed one in its place.
    abstract void make(CodeBuilder code, CodeElement element);

    @Override
    public String toString() {
        return text;
    }

    private static int operands(Opcode branch) {
        return !OTHERS.containsKey(branch) ? 0 : branch.name().contains("CMP") ? 2 : 1;
    }

    private static void popAll(CodeBuilder code, BranchInstruction branch) {
        for (int left = operands(branch.opcode()); left > 0; left--) {
            code.pop();
        }
    }

    private static void pop(CodeBuilder code, ClassDesc type) {
        if (TypeKind.from(type).slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }
}
