package org.ibidem.serial.inside;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import org.ibidem.serial.generate.Names;
import org.ibidem.serial.generate.WriteCode;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// The methods of a class that write its objects. See [Members].
final class WriteMembers {
    private static final int CODEC = 0;
    private static final int TO = 1;
    private static final int OBJECT = 2;
    private static final int DEPTH = 3;
    private static final int AT = 4;
    private static final int FLAGS =
            ClassFile.ACC_PROTECTED | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final Hierarchy hierarchy;
    private final DirectCode fields;

    WriteMembers(Hierarchy hierarchy, DirectCode fields) {
        this.hierarchy = hierarchy;
        this.fields = fields;
    }

    /// Adds what writes objects of the class itself.
    void addPut(ClassBuilder type) {
        type.withMethodBody(Members.PUT, Members.putType(fields.self()), FLAGS, this::put);
    }

    /// Adds what subclasses need.
    void addForSubclasses(ClassBuilder type) {
        if (hierarchy.own().hasPrimitives()) {
            var values = Members.valuesType(fields.self());
            type.withMethodBody(Members.VALUES, values, FLAGS, this::values);
        }
        if (!hierarchy.own().references().isEmpty()) {
            var references = Members.putType(fields.self());
            type.withMethodBody(Members.REFERENCES, references, FLAGS, this::references);
        }
    }

    private void put(CodeBuilder code) {
        var write = new WriteCode(code, fields);
        var begin = code.newBoundLabel();
        int bytes = hierarchy.layout.bytes();
        if (bytes > 0) {
            int page = write.room(bytes);
            hierarchy.above().forEach(tier -> callValues(code, tier, page));
            write.store(page, hierarchy.spots(AT));
            code.iinc(AT, bytes);
        }
        for (var tier : hierarchy.above()) {
            callReferences(code, tier);
        }
        own(write, hierarchy.tail(), begin);
        code.iload(AT).ireturn();
    }

    private void own(WriteCode write, @Nullable Slot tail, @Nullable Label begin) {
        for (var slot : hierarchy.own().references()) {
            write.reference(slot, slot.equals(tail) ? begin : null, hierarchy.type());
        }
    }

    private void callValues(CodeBuilder code, LevelFields tier, int page) {
        if (tier.hasPrimitives()) {
            code.aload(OBJECT).aload(page);
            for (int size = Long.BYTES; size > 0; size >>= 1) {
                code.iload(AT).loadConstant(hierarchy.group(size)).iadd();
            }
            var owner = Names.desc(tier.type());
            code.invokestatic(owner, Members.VALUES, Members.valuesType(owner));
        }
    }

    private void callReferences(CodeBuilder code, LevelFields tier) {
        if (!tier.references().isEmpty()) {
            var owner = Names.desc(tier.type());
            code.aload(CODEC).aload(TO).aload(OBJECT).iload(DEPTH).iload(AT);
            code.invokestatic(owner, Members.REFERENCES, Members.putType(owner)).istore(AT);
        }
    }

    /// Local variables: 0 the object, 1 the page, from 2 on where the groups begin.
    private void values(CodeBuilder code) {
        new WriteCode(code, fields, 0).store(1, hierarchy.spotsByGroup(2));
        code.return_();
    }

    private void references(CodeBuilder code) {
        own(new WriteCode(code, fields), null, null);
        code.iload(AT).ireturn();
    }
}
