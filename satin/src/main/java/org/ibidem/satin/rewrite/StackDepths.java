package org.ibidem.satin.rewrite;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// How many slots of the operand stack are in use where (JVMS 6.5).
final class StackDepths {
    private final Map<Integer, Integer> before = new HashMap<>();

    StackDepths(Listing listing) {
        var work = new ArrayDeque<Integer>();
        before.put(0, 0);
        work.add(0);
        while (!work.isEmpty()) {
            int place = work.remove();
            if (place == listing.size()) {
                continue;
            }
            int after = at(place) + effect(listing.at(place));
            for (int next : listing.followers(place, listing.around(place))) {
                if (before.putIfAbsent(next, after) == null) {
                    work.add(next);
                }
            }
            for (var handler : listing.around(place)) {
                int next = listing.place(handler.handler());
                if (before.putIfAbsent(next, 1) == null) {
                    work.add(next);
                }
            }
        }
    }

    /// Before this place; 0 where control never comes.
    int at(int place) {
        return before.getOrDefault(place, 0);
    }

    private static int effect(CodeElement element) {
        return switch (element) {
            case LoadInstruction load -> load.typeKind().slotSize();
            case StoreInstruction store -> -store.typeKind().slotSize();
            case ConstantInstruction constant -> constant.typeKind().slotSize();
            case ArrayLoadInstruction load -> load.typeKind().slotSize() - 2;
            case ArrayStoreInstruction store -> -store.typeKind().slotSize() - 2;
            case ConvertInstruction convert ->
                    convert.toType().slotSize() - convert.fromType().slotSize();
            case OperatorInstruction operator -> operator(operator);
            case BranchInstruction branch -> branch(branch.opcode());
            case StackInstruction stack -> stack(stack.opcode());
            case FieldInstruction field -> field(field);
            case InvokeInstruction call ->
                    call(call.typeSymbol()) - (call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
            case InvokeDynamicInstruction call -> call(call.typeSymbol());
            case NewObjectInstruction _ -> 1;
            case NewMultiArrayInstruction array -> 1 - array.dimensions();
            case LookupSwitchInstruction _, TableSwitchInstruction _, MonitorInstruction _ -> -1;
            default -> 0;
        };
    }

    private static int operator(OperatorInstruction operator) {
        int size = operator.typeKind().slotSize();
        return switch (operator.opcode()) {
            case ARRAYLENGTH, INEG, LNEG, FNEG, DNEG -> 0;
            case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> -1;
            case LCMP, DCMPL, DCMPG -> -3;
            case FCMPL, FCMPG -> -1;
            default -> -size;
        };
    }

    private static int branch(Opcode opcode) {
        return switch (opcode) {
            case GOTO, GOTO_W -> 0;
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> -1;
            default -> -2;
        };
    }

    private static int stack(Opcode opcode) {
        return switch (opcode) {
            case POP -> -1;
            case POP2 -> -2;
            case SWAP -> 0;
            case DUP2, DUP2_X1, DUP2_X2 -> 2;
            default -> 1;
        };
    }

    private static int field(FieldInstruction field) {
        int size = TypeKind.from(field.typeSymbol()).slotSize();
        return switch (field.opcode()) {
            case GETSTATIC -> size;
            case PUTSTATIC -> -size;
            case GETFIELD -> size - 1;
            default -> -size - 1;
        };
    }

    private static int call(MethodTypeDesc type) {
        int slots = TypeKind.from(type.returnType()).slotSize();
        for (var parameter : type.parameterList()) {
            slots -= TypeKind.from(parameter).slotSize();
        }
        return slots;
    }
}
