package org.ibidem.satin.rewrite;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDescs;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// What the local variables of a method hold, as far as one instruction says it.
final class Values {
    /// No object: fits wherever one may be.
    private static final String NULL = "null";

    /// Some object, or nothing that could be read.
    private static final String ANY = "";

    private static final Set<String> WIDE = Set.of("J", "D");

    private final Map<Integer, String> types = new HashMap<>();

    /// Adds what they hold on another way here.
    ///
    /// @return whether that is something new
    boolean merge(Values other) {
        boolean more = false;
        for (var one : other.types.entrySet()) {
            var before = types.get(one.getKey());
            var both = types.merge(one.getKey(), one.getValue(), Values::join);
            more |= !both.equals(before);
        }
        return more;
    }

    private static String join(String one, String other) {
        if (one.equals(other) || (other.equals(NULL) && isObject(one))) {
            return one;
        }
        return one.equals(NULL) && isObject(other) ? other : ANY;
    }

    private static boolean isObject(String descriptor) {
        return descriptor.startsWith("L") || descriptor.startsWith("[");
    }

    /// A parameter.
    void set(int slot, String descriptor) {
        types.put(slot, descriptor);
    }

    /// What a store puts into its variable.
    private String stored(Listing listing, int place) {
        if (!(listing.at(place) instanceof StoreInstruction store)) {
            return ANY;
        }
        if (store.typeKind() != TypeKind.REFERENCE) {
            return store.typeKind().asLoadable().upperBound().descriptorString();
        }
        int before = listing.previous(place);
        return before < 0 ? ANY : left((Instruction) listing.at(before));
    }

    void store(Listing listing, int place) {
        if (!(listing.at(place) instanceof StoreInstruction store)) {
            return;
        }
        int slot = store.slot();
        types.put(slot, stored(listing, place));
        // Of what it overlaps nothing is left.
        if (store.typeKind().slotSize() > 1) {
            types.put(slot + 1, ANY);
        }
        if (WIDE.contains(types.getOrDefault(slot - 1, NULL))) {
            types.put(slot - 1, ANY);
        }
    }

    /// Whether a variable holds what a store would put there as well: then it may stay.
    boolean mayStay(Listing listing, int place, int slot) {
        var held = types.getOrDefault(slot, ANY);
        return !held.equals(ANY) && held.equals(stored(listing, place));
    }

    /// Whether a variable holds the same kind of value on all ways, as far as that is known.
    boolean isKnown(int slot) {
        return !types.getOrDefault(slot, ANY).equals(ANY);
    }

    /// Whether a variable may hold an object, of another class than a store would put there.
    boolean isOther(Listing listing, int place, int slot) {
        var held = types.getOrDefault(slot, NULL);
        return listing.at(place) instanceof StoreInstruction store
                && store.typeKind() == TypeKind.REFERENCE
                && !held.equals(NULL)
                && (held.equals(ANY) || isObject(held))
                && !mayStay(listing, place, slot);
    }

    /// What it leaves on the stack.
    private String left(Instruction instruction) {
        return switch (instruction) {
            case ConstantInstruction constant when constant.opcode() == Opcode.ACONST_NULL -> NULL;
            case ConstantInstruction constant when constant.constantValue() instanceof String ->
                    ConstantDescs.CD_String.descriptorString();
            case InvokeInstruction call when call.name().equalsString("<init>") ->
                    call.owner().asSymbol().descriptorString();
            case InvokeInstruction call -> call.typeSymbol().returnType().descriptorString();
            case InvokeDynamicInstruction call -> call.typeSymbol().returnType().descriptorString();
            case FieldInstruction field -> field.typeSymbol().descriptorString();
            case TypeCheckInstruction check when check.opcode() == Opcode.CHECKCAST ->
                    check.type().asSymbol().descriptorString();
            case NewReferenceArrayInstruction array ->
                    array.componentType().asSymbol().arrayType().descriptorString();
            case LoadInstruction load -> types.getOrDefault(load.slot(), ANY);
            default -> ANY;
        };
    }
}
