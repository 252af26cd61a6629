package org.ibidem.serial.graph;

import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.OptionalDataException;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/// What the hooks of [RandomClasses] do: each calls one of these methods, with a script that says
/// step by step what is written or read.
///
/// What a hook has read it leaves in the field [#LATE] of its class, where it is compared.
@SuppressWarnings("unused") // generated classes call these methods
public final class RandomHooks {
    /// A transient field of each class with hooks.
    public static final String LATE = "late";

    private static final List<Object> KINDS =
            List.of(true, (byte) 1, (short) 2, '3', 4, 5L, 6f, 7d);
    private static final List<String> NAMES =
            List.of("f0", "f1", "f2", "f3", "g1", "gone0", "gone1");

    private static final Pattern COMMA = Pattern.compile(",");

    /// Where objects stand for each other the JDK asks for the next without end.
    private static final int MOST_ASKED = 1_000_000;

    private static final ThreadLocal<Integer> ASKED = ThreadLocal.withInitial(() -> 0);

    private RandomHooks() {}

    /// A graph begins.
    static void begin() {
        ASKED.set(0);
    }

    /// What `writeObject` and `writeExternal` do.
    public static void write(Class<?> type, String script, Object self, ObjectOutput out)
            throws IOException {
        for (int i = 0; i < script.length(); i++) {
            char step = script.charAt(i);
            switch (step) {
                case 'd' -> ((ObjectOutputStream) out).defaultWriteObject();
                case 'p', 'q' -> put(type, step == 'p', self, (ObjectOutputStream) out);
                case 'i' -> out.writeInt(77);
                case 'l' -> out.writeLong(-7);
                case 'u' -> out.writeUTF("text \u20ac");
                case 'b' -> out.write(new byte[1500]);
                case 'o' -> out.writeObject(reference(type, self));
                case 't' -> out.writeObject(self);
                case 'n' -> out.writeObject("new");
                case 'z' -> out.writeObject(null);
                case 's' -> unshared(out, new PlainTypes.Node());
                case 'v' -> unshared(out, identity(reference(type, self)));
                default -> throw new AssertionError(step);
            }
        }
    }

    /// Not a value: such have no handles here, so they are never found to be shared.
    private static Object identity(Object object) {
        return object instanceof Collection<?> || object instanceof Object[]
                ? object
                : new PlainTypes.Node();
    }

    private static void unshared(ObjectOutput out, Object object) throws IOException {
        if (out instanceof ObjectOutputStream stream) {
            stream.writeUnshared(object);
        }
    }

    private static void put(Class<?> type, boolean all, Object self, ObjectOutputStream out)
            throws IOException {
        var fields = out.putFields();
        boolean now = true;
        for (var field : ObjectStreamClass.lookup(type).getFields()) {
            if (now) {
                put(fields, field, value(type, field.getName(), self));
            }
            now = all || !now;
        }
        out.writeFields();
    }

    private static void put(
            ObjectOutputStream.PutField fields, ObjectStreamField field, Object value) {
        var name = field.getName();
        switch (field.getTypeCode()) {
            case 'Z' -> fields.put(name, (boolean) or(value, true));
            case 'B' -> fields.put(name, (byte) or(value, (byte) 1));
            case 'S' -> fields.put(name, (short) or(value, (short) 1));
            case 'C' -> fields.put(name, (char) or(value, '1'));
            case 'I' -> fields.put(name, (int) or(value, 1));
            case 'J' -> fields.put(name, (long) or(value, 1L));
            case 'F' -> fields.put(name, (float) or(value, 1f));
            case 'D' -> fields.put(name, (double) or(value, 1d));
            default -> fields.put(name, value);
        }
    }

    private static Object or(Object value, Object otherwise) {
        return otherwise.getClass().isInstance(value) ? value : otherwise;
    }

    /// What `readObject` and `readExternal` do.
    public static void read(Class<?> type, String script, Object self, ObjectInput in)
            throws IOException, ClassNotFoundException {
        var read = new ArrayList<Object>();
        late(type, self, read);
        for (int i = 0; i < script.length(); i++) {
            char step = script.charAt(i);
            switch (step) {
                case 'd' -> ((ObjectInputStream) in).defaultReadObject();
                case 'f' -> fields((ObjectInputStream) in, read);
                case 'i' -> read.add(in.readInt());
                case 'l' -> read.add(in.readLong());
                case 'u' -> read.add(in.readUTF());
                case 'b' -> in.readFully(new byte[1500]);
                case 'a' -> read.add(in.available() > 0);
                case 'o' -> read.add(in.readObject());
                case 's' ->
                        read.add(
                                in instanceof ObjectInputStream stream
                                        ? stream.readUnshared()
                                        : in.readObject());
                case 'e' -> read.add(end(in));
                default -> throw new AssertionError(step);
            }
        }
    }

    private static Object end(ObjectInput in) throws IOException, ClassNotFoundException {
        try {
            return in.readObject();
        } catch (OptionalDataException e) {
            return e.eof ? "end" : "bytes";
        }
    }

    /// Asks for fields that are there, were there, or never were, as each kind.
    private static void fields(ObjectInputStream in, List<Object> read)
            throws IOException, ClassNotFoundException {
        var fields = in.readFields();
        for (var name : NAMES) {
            read.add(asked(() -> fields.defaulted(name)));
            read.add(asked(() -> fields.get(name, "otherwise")));
            for (var kind : KINDS) {
                read.add(asked(() -> primitive(fields, name, kind)));
            }
        }
    }

    private static Object primitive(
            ObjectInputStream.GetField fields, String name, Object otherwise) throws IOException {
        return switch (otherwise) {
            case Boolean known -> fields.get(name, (boolean) known);
            case Byte known -> fields.get(name, (byte) known);
            case Short known -> fields.get(name, (short) known);
            case Character known -> fields.get(name, (char) known);
            case Integer known -> fields.get(name, (int) known);
            case Long known -> fields.get(name, (long) known);
            case Float known -> fields.get(name, (float) known);
            default -> fields.get(name, (double) (Double) otherwise);
        };
    }

    /// One question to a `GetField`.
    private interface Question {
        Object ask() throws IOException, ClassNotFoundException;
    }

    private static Object asked(Question question) throws IOException, ClassNotFoundException {
        try {
            return question.ask();
        } catch (IllegalArgumentException _) {
            return "no such field";
        }
    }

    /// What `readObjectNoData` does.
    public static void noData(Class<?> type, Object self) {
        late(type, self, "no data");
    }

    /// What `writeReplace` and `readResolve` give. Too many of them are an overflow, as they are
    /// where each is looked for within the last.
    public static Object instead(Class<?> type, String what, Object self) {
        ASKED.set(ASKED.get() + 1);
        if (ASKED.get() > MOST_ASKED) {
            throw new StackOverflowError("objects stand for each other");
        }
        return switch (what) {
            case "self" -> self;
            case "text" -> "instead";
            case "node" -> new PlainTypes.Node();
            case "null" -> null;
            default -> reference(type, self);
        };
    }

    /// The value of `serialPersistentFields`: each as `name:descriptor`, with `!` in front where it
    /// is unshared.
    public static ObjectStreamField[] persistent(Class<?> type, String script) {
        return COMMA.splitAsStream(script)
                .map(each -> {
                    boolean unshared = each.startsWith("!");
                    int colon = each.indexOf(':');
                    return new ObjectStreamField(
                            each.substring(unshared ? 1 : 0, colon),
                            type(type, each.substring(colon + 1)),
                            unshared);
                })
                .toArray(ObjectStreamField[]::new);
    }

    private static Class<?> type(Class<?> self, String descriptor) {
        try {
            var described = ClassDesc.ofDescriptor(descriptor);
            return described.isPrimitive()
                    ? java.lang.invoke.MethodType.fromMethodDescriptorString(
                                    "()" + descriptor, null)
                            .returnType()
                    : Class.forName(
                            descriptor.startsWith("[")
                                    ? descriptor.replace('/', '.')
                                    : descriptor
                                            .substring(1, descriptor.length() - 1)
                                            .replace('/', '.'),
                            false,
                            self.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new LinkageError(descriptor, e);
        }
    }

    /// The first reference that a level of the object holds.
    private static Object reference(Class<?> type, Object self) {
        for (var field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && !field.getType().isPrimitive()
                    && !field.getName().equals(LATE)) {
                return get(field, self);
            }
        }
        return null;
    }

    private static Object value(Class<?> type, String name, Object self) {
        try {
            var field = type.getDeclaredField(name);
            return Modifier.isStatic(field.getModifiers()) ? null : get(field, self);
        } catch (NoSuchFieldException _) {
            return null;
        }
    }

    private static Object get(Field field, Object self) {
        try {
            field.setAccessible(true);
            return field.get(self);
        } catch (IllegalAccessException e) {
            throw new LinkageError("generated code is wrong", e);
        }
    }

    private static void late(Class<?> type, Object self, Object value) {
        try {
            type.getField(LATE).set(self, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("generated code is wrong", e);
        }
    }
}
