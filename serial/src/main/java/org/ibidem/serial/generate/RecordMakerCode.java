package org.ibidem.serial.generate;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// The class file of a function from the components of a record, boxed in an array, to the record.
/// Byte by byte: the library for class files is a hundred classes more to load, and so is what the
/// compiler makes of strings that are added.
///
/// ```java
/// final class Maker implements Function {
///     public Object apply(Object values) {
///         Object[] all = (Object[]) values;
///         return new Price(((Long) all[0]).longValue(), (String) all[1]);
///     }
/// }
/// ```
final class RecordMakerCode {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int VERSION = 55;
    private static final int FINAL = 0x0030;
    private static final int PUBLIC = 0x0001;
    private static final int ALOAD_0 = 0x2A;
    private static final int ALOAD_1 = 0x2B;
    private static final int ALOAD_2 = 0x2C;
    private static final int ASTORE_2 = 0x4D;
    private static final int AALOAD = 0x32;
    private static final int SIPUSH = 0x11;
    private static final int DUP = 0x59;
    private static final int ARETURN = 0xB0;
    private static final int RETURN = 0xB1;
    private static final int INVOKEVIRTUAL = 0xB6;
    private static final int INVOKESPECIAL = 0xB7;
    private static final int NEW = 0xBB;
    private static final int CHECKCAST = 0xC0;
    private static final int STACK = 5;
    private static final int LOCALS = 3;

    private static final int UTF = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAMED = 12;

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<Integer, Integer> owners = new HashMap<>();
    private final Class<?> type;
    private final Class<?>[] components;
    private int next = 1;

    RecordMakerCode(Class<?> type, Class<?>[] components) {
        this.type = type;
        this.components = components;
    }

    byte[] bytes() throws IOException {
        int self = owner(type.getName().concat("$Maker"));
        int parent = owner("java.lang.Object");
        int function = owner("java.util.function.Function");
        int code = text("Code");
        var body = new ByteArrayOutputStream();
        var out = new DataOutputStream(body);
        out.writeShort(FINAL);
        out.writeShort(self);
        out.writeShort(parent);
        out.writeShort(1);
        out.writeShort(function);
        out.writeShort(0);
        out.writeShort(2);
        method(out, "<init>", "()V", code, initializer());
        method(out, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", code, apply());
        out.writeShort(0);
        var all = new ByteArrayOutputStream();
        var file = new DataOutputStream(all);
        file.writeInt(MAGIC);
        file.writeInt(VERSION);
        file.writeShort(next);
        poolBytes.writeTo(file);
        body.writeTo(file);
        return all.toByteArray();
    }

    private void method(DataOutputStream out, String name, String shape, int attribute, byte[] code)
            throws IOException {
        out.writeShort(PUBLIC);
        out.writeShort(text(name));
        out.writeShort(text(shape));
        out.writeShort(1);
        out.writeShort(attribute);
        out.writeInt(12 + code.length);
        out.writeShort(STACK + 2 * components.length);
        out.writeShort(LOCALS);
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(0);
        out.writeShort(0);
    }

    private byte[] initializer() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var code = new DataOutputStream(bytes);
        code.writeByte(ALOAD_0);
        call(code, INVOKESPECIAL, "java.lang.Object", "<init>()V");
        code.writeByte(RETURN);
        return bytes.toByteArray();
    }

    private byte[] apply() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var code = new DataOutputStream(bytes);
        code.writeByte(ALOAD_1);
        cast(code, Object[].class);
        code.writeByte(ASTORE_2);
        code.writeByte(NEW);
        code.writeShort(owner(type.getName()));
        code.writeByte(DUP);
        var shape = new StringBuilder("<init>(");
        for (int i = 0; i < components.length; i++) {
            code.writeByte(ALOAD_2);
            code.writeByte(SIPUSH);
            code.writeShort(i);
            code.writeByte(AALOAD);
            argument(code, components[i]);
            shape.append(components[i].descriptorString());
        }
        call(code, INVOKESPECIAL, type.getName(), shape.append(")V").toString());
        code.writeByte(ARETURN);
        return bytes.toByteArray();
    }

    private void argument(DataOutputStream code, Class<?> component) throws IOException {
        if (!component.isPrimitive()) {
            cast(code, component);
            return;
        }
        var box = java.lang.invoke.MethodType.methodType(component).wrap().returnType();
        cast(code, box);
        var unbox = component.getName().concat("Value()").concat(component.descriptorString());
        call(code, INVOKEVIRTUAL, box.getName(), unbox);
    }

    private void cast(DataOutputStream code, Class<?> to) throws IOException {
        if (to != Object.class) {
            code.writeByte(CHECKCAST);
            code.writeShort(owner(to.getName()));
        }
    }

    private void call(DataOutputStream code, int how, String owner, String method)
            throws IOException {
        code.writeByte(how);
        int of = owner(owner);
        int open = method.indexOf('(');
        int name = text(method.substring(0, open));
        int shape = text(method.substring(open));
        int named = pair(NAMED, name, shape);
        code.writeShort(pair(METHOD, of, named));
    }

    private int text(String text) throws IOException {
        Integer known = places.get(text);
        if (known != null) {
            return known;
        }
        pool.writeByte(UTF);
        pool.writeUTF(text);
        places.put(text, next);
        return next++;
    }

    private int owner(String name) throws IOException {
        int text = text(name.replace('.', '/'));
        Integer known = owners.get(text);
        if (known != null) {
            return known;
        }
        pool.writeByte(CLASS);
        pool.writeShort(text);
        owners.put(text, next);
        return next++;
    }

    private int pair(int kind, int one, int other) throws IOException {
        pool.writeByte(kind);
        pool.writeShort(one);
        pool.writeShort(other);
        return next++;
    }
}
