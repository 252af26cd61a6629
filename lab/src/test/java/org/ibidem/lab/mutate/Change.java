package org.ibidem.lab.mutate;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/// What may be changed about one instruction.
enum Change {
    /// A condition is the other way round.
    NEGATED("condition negated") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof BranchInstruction branch
                    && operands(branch.opcode()) > 0;
        }

        @Override
        void make(CodeBuilder code, Place place) {
            var branch = (BranchInstruction) place.element();
            code.branch(OTHERS.get(branch.opcode()), branch.target());
        }
    },

    /// A condition is dropped: what it guards is never done, or always.
    NEVER("branch never taken") {
        @Override
        boolean fits(Place place) {
            return NEGATED.fits(place);
        }

        @Override
        void make(CodeBuilder code, Place place) {
            popAll(code, (BranchInstruction) place.element());
        }
    },

    /// The same, the other way round.
    ALWAYS("branch always taken") {
        @Override
        boolean fits(Place place) {
            return NEGATED.fits(place);
        }

        @Override
        void make(CodeBuilder code, Place place) {
            popAll(code, (BranchInstruction) place.element());
            code.goto_(((BranchInstruction) place.element()).target());
        }
    },

    /// A limit is one further.
    LIMIT("limit moved by one") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof BranchInstruction branch
                    && LIMITS.containsKey(branch.opcode());
        }

        @Override
        void make(CodeBuilder code, Place place) {
            var branch = (BranchInstruction) place.element();
            code.branch(LIMITS.get(branch.opcode()), branch.target());
        }
    },

    /// A call that gives nothing is not made: a wake-up, a release, a note.
    NOT_CALLED("not called") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof InvokeInstruction call
                    && call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !call.name().equalsString("<init>")
                    && !call.owner().asInternalName().equals("java/lang/System$Logger");
        }

        @Override
        void make(CodeBuilder code, Place place) {
            popAll(code, (InvokeInstruction) place.element());
        }
    },

    /// Nor is one whose answer nobody looks at: `future.complete`, `map.remove`, `queue.add`.
    NOT_ASKED("not called, nor its answer looked at") {
        @Override
        boolean fits(Place place) {
            return place.unheard()
                    && place.element() instanceof InvokeInstruction call
                    && !call.owner().asInternalName().equals("java/util/Objects"); // a compiler's
        }

        @Override
        void make(CodeBuilder code, Place place) {
            var call = (InvokeInstruction) place.element();
            popAll(code, call);
            pushNothing(code, call.typeSymbol().returnType());
        }
    },

    /// An error is nobody's here; who called gets it.
    NOT_CAUGHT("not caught") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof ExceptionCatch caught
                    && caught.catchType()
                            // That of `try (…)` is a compiler's.
                            .filter(it -> !it.asInternalName().equals("java/lang/Throwable"))
                            .isPresent();
        }

        @Override
        void make(CodeBuilder code, Place place) {
            // it is left out
        }
    },

    /// An error is not noticed: what follows is done all the same.
    NOT_THROWN("throw left out") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof ThrowInstruction;
        }

        @Override
        void make(CodeBuilder code, Place place) {
            code.pop();
        }
    },

    /// The same where nothing can follow.
    RETURNED("throw left out, returns nothing") {
        @Override
        boolean fits(Place place) {
            return NOT_THROWN.fits(place);
        }

        @Override
        void make(CodeBuilder code, Place place) {
            var type = place.method().returnType();
            code.pop();
            pushNothing(code, type);
            code.return_(TypeKind.from(type).asLoadable());
        }
    },

    /// A state is not changed.
    NOT_SET("not set") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof FieldInstruction field
                    && (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC);
        }

        @Override
        void make(CodeBuilder code, Place place) {
            var field = (FieldInstruction) place.element();
            pop(code, field.typeSymbol());
            if (field.opcode() == Opcode.PUTFIELD) {
                code.pop();
            }
        }
    },

    /// An answer is the other one.
    DENIED("answer negated") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof ReturnInstruction back
                    && back.typeKind() == TypeKind.INT
                    && place.method().returnType().equals(ConstantDescs.CD_boolean);
        }

        @Override
        void make(CodeBuilder code, Place place) {
            code.iconst_1().ixor().ireturn();
        }
    },

    /// More is less.
    MINUS("plus and minus exchanged") {
        @Override
        boolean fits(Place place) {
            return place.element() instanceof OperatorInstruction operator
                    && SUMS.containsKey(operator.opcode());
        }

        @Override
        void make(CodeBuilder code, Place place) {
            switch (SUMS.get(((OperatorInstruction) place.element()).opcode())) {
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

    /// Where something may be changed.
    ///
    /// @param element the instruction
    /// @param unheard whether what it gives is dropped at once
    /// @param method the type of the method that has it
    record Place(CodeElement element, boolean unheard, MethodTypeDesc method) {}

    private final String text;

    Change(String text) {
        this.text = text;
    }

    /// Whether there is such an instruction to change.
    abstract boolean fits(Place place);

    /// Puts the changed one in its place.
    abstract void make(CodeBuilder code, Place place);

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

    private static void popAll(CodeBuilder code, InvokeInstruction call) {
        call.typeSymbol().parameterList().reversed().forEach(type -> pop(code, type));
        if (call.opcode() != Opcode.INVOKESTATIC) {
            code.pop();
        }
    }

    /// 0, false or null.
    private static void pushNothing(CodeBuilder code, ClassDesc type) {
        switch (TypeKind.from(type).asLoadable()) {
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
            case VOID -> code.nop();
            default -> code.aconst_null();
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
