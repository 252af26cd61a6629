package org.ibidem.satin.rewrite;

import java.lang.classfile.Instruction;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call that is spawned.
///
/// @param number of the spawned calls of its class, from 1
/// @param call the instruction that calls
/// @param conversions what is done to the result before it is stored
/// @param store where the result goes; none for a method without a result
/// @param place where it is
/// @param around what catches what it throws, in the order in which it is tried
record Site(
        int number,
        InvokeInstruction call,
        List<Instruction> conversions,
        @Nullable Instruction store,
        int place,
        List<ExceptionCatch> around) {

    /// Whether what it throws is for an inlet, unless its sync is in the same `try`.
    boolean isInTry() {
        return !around.isEmpty();
    }

    ClassDesc returned() {
        return call.typeSymbol().returnType();
    }

    boolean isVoid() {
        return TypeKind.from(returned()) == TypeKind.VOID;
    }

    /// The local variable that the result goes to; -1: it goes elsewhere.
    int slot() {
        return store instanceof StoreInstruction local ? local.slot() : -1;
    }

    /// What that variable holds.
    TypeKind kind() {
        return store instanceof StoreInstruction local ? local.typeKind() : TypeKind.VOID;
    }

    boolean isLocal() {
        return store instanceof StoreInstruction;
    }

    boolean isArrayElement() {
        return store instanceof ArrayStoreInstruction;
    }

    boolean isField() {
        return store instanceof FieldInstruction;
    }

    /// Whether two sites give the same variable the same kind of value.
    boolean agrees(Site other) {
        return isLocal()
                && other.isLocal()
                && slot() == other.slot()
                && returned().equals(other.returned())
                && conversions.isEmpty()
                && other.conversions.isEmpty();
    }

    /// Whether its local variable overlaps these slots.
    boolean overlaps(int first, TypeKind kind) {
        if (!(store instanceof StoreInstruction local)) {
            return false;
        }
        return first < slot() + local.typeKind().slotSize() && slot() < first + kind.slotSize();
    }
}
