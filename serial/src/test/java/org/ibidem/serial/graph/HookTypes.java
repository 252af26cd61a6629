package org.ibidem.serial.graph;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.List;

/// Classes that take part in their own serialization.
@SuppressWarnings({
    "serial",
    "unused",
    "HidingField",
    "ReferenceEquality"
}) // their fields are there to be serialized
public final class HookTypes {
    private HookTypes() {}

    public static class Custom implements Serializable {
        int n = 5;
        transient String late = "late";
        Object o = "o";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(17);
            out.writeUTF("text \u20ac");
            out.writeObject(List.of("x", this));
            out.writeLong(-5);
            out.write(new byte[3000]);
            out.writeDouble(2.5);
            out.writeBoolean(true);
            out.writeChars("ab");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            int i = in.readInt();
            String s = in.readUTF();
            List<?> l = (List<?>) in.readObject();
            long j = in.readLong();
            byte[] b = new byte[3000];
            in.readFully(b);
            late =
                    i
                            + s
                            + l.size()
                            + j
                            + in.readDouble()
                            + in.readBoolean()
                            + in.readChar()
                            + in.readChar();
        }
    }

    public static class CustomChild extends Custom {
        int m = 8;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject("more");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            late += in.readObject();
        }
    }

    public static class ReadsLess implements Serializable {
        int n = 5;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(new PlainTypes.Node());
            out.writeInt(3);
            out.writeObject("unread");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    public static class NoReader implements Serializable {
        int n = 5;
        String s = "s";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(new PlainTypes.Node());
            out.writeInt(3);
        }
    }

    public static class OnlyReader implements Serializable {
        int n = 5;
        transient int twice;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            twice = 2 * n;
        }
    }

    public static class ReadsTooMuch implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(1);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.readInt();
            in.readInt();
        }
    }

    public static class ReadsObjectTooMuch implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.readObject();
        }
    }

    public static class OptionalEnd implements Serializable {
        transient int length, eof;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(4);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            try {
                in.readObject();
            } catch (java.io.OptionalDataException e) {
                length = e.length;
            }
            in.readInt();
            try {
                in.readObject();
            } catch (java.io.OptionalDataException e) {
                eof = e.eof ? 1 : 2;
            }
        }
    }

    public static class Failing implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("will not be written");
        }
    }

    public static class FailingRead implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidObjectException("will not be read");
        }
    }

    public static class FailingUnchecked implements Serializable {
        private void readObject(ObjectInputStream in) {
            throw new UnsupportedOperationException("never");
        }
    }

    public static class Persistent implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("sum", int.class), new ObjectStreamField("name", String.class)
        };
        transient int a = 3, b = 4;
        String name = "n";

        private void writeObject(ObjectOutputStream out) throws IOException {
            var f = out.putFields();
            f.put("sum", a + b);
            f.put("name", name);
            out.writeFields();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            var f = in.readFields();
            a = f.get("sum", 0);
            b = f.defaulted("sum") ? 1 : 0;
            name = (String) f.get("name", "none");
        }
    }

    /// It had another field once, which it still writes for older readers.
    public static class PersistentGone implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("gone", int.class),
            new ObjectStreamField("held", Object.class),
            new ObjectStreamField("name", String.class)
        };
        String name = "n";
        Object[] kept = {name};

        private void writeObject(ObjectOutputStream out) throws IOException {
            var f = out.putFields();
            f.put("gone", 7);
            f.put("held", kept);
            f.put("name", name);
            out.writeFields();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    /// The same, read without a method of its own.
    public static class PersistentGoneUnread implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("gone", int.class), new ObjectStreamField("name", String.class)
        };
        String name = "n";

        private void writeObject(ObjectOutputStream out) throws IOException {
            var f = out.putFields();
            f.put("gone", 7);
            f.put("name", name);
            out.writeFields();
        }
    }

    public static class PersistentSubset implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", int.class)
        };
        int a = 1;
        int b = 2;
        String c = "c";
    }

    public static class PersistentUnmatched implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("zz", int.class)
        };
        int a = 1;
    }

    public static class PersistentTwice implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", int.class), new ObjectStreamField("a", int.class)
        };
        int a = 1;
    }

    public static class UnsharedField implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", Object.class, true), new ObjectStreamField("b", Object.class)
        };
        Object a = new PlainTypes.Node();
        Object b = a;
    }

    public static class UnsharedBoth implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", Object.class, true),
            new ObjectStreamField("b", Object.class, true)
        };
        Object a = new PlainTypes.Node();
        Object b = a;
    }

    public static class WritesUnshared implements Serializable {
        transient Object a, b;

        WritesUnshared() {
            a = new PlainTypes.Node();
            b = a;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeUnshared(a);
            out.writeObject(b);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            a = in.readObject();
            b = in.readObject();
        }
    }

    public static class ReadsSharedUnshared implements Serializable {
        transient Object a;

        ReadsSharedUnshared() {
            a = new PlainTypes.Node();
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(a);
            out.writeObject(a);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            a = in.readUnshared();
            in.readObject();
        }
    }

    public static class Ext implements Externalizable {
        int n = 4;
        Object o = "e";

        public Ext() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(n);
            out.writeObject(o);
            out.writeObject(this);
            out.writeByte(3);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            n = in.readInt() + 1;
            o = in.readObject();
            if (in.readObject() != this) throw new IOException("not itself");
            n += in.readByte();
        }
    }

    public static class ExtNoConstructor implements Externalizable {
        ExtNoConstructor(int x) {}

        @Override
        public void writeExternal(ObjectOutput out) {}

        @Override
        public void readExternal(ObjectInput in) {}
    }

    public static class Replaces implements Serializable {
        String name = "r";

        Object writeReplace() {
            return new Replacement(name);
        }
    }

    public static class Replacement implements Serializable {
        String name;

        Replacement(String n) {
            name = n;
        }

        Object readResolve() {
            Replaces r = new Replaces();
            r.name = "from " + name;
            return r;
        }
    }

    public static class ReplacesSelf implements Serializable {
        int n = 4;

        Object writeReplace() {
            return this;
        }
    }

    public static class ReplacesSame implements Serializable {
        int n = 4;

        Object writeReplace() {
            ReplacesSame s = new ReplacesSame();
            s.n = n + 1;
            return s;
        }
    }

    public static class ReplacesNull implements Serializable {
        Object writeReplace() {
            return null;
        }
    }

    public static class InheritsReplace extends Protects {
        int m = 3;
    }

    public static class Protects implements Serializable {
        protected Object writeReplace() {
            return "protected";
        }
    }

    public static class PrivateReplace implements Serializable {
        private Object writeReplace() {
            return "private";
        }
    }

    public static class NotInherited extends PrivateReplace {
        int q = 3;
    }

    public static class ResolveFails implements Serializable {
        Object readResolve() throws ObjectStreamException {
            throw new InvalidObjectException("no");
        }
    }

    public static class Singleton implements Serializable {
        static final Singleton ONE = new Singleton();

        private Singleton() {}

        private Object readResolve() {
            return ONE;
        }
    }

    public static class Validated implements Serializable, java.io.ObjectInputValidation {
        int n = 1;
        transient String order = "";

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.registerValidation(this, 1);
            in.registerValidation(() -> order += "first ", 10);
        }

        @Override
        public void validateObject() {
            order += "last";
        }
    }

    public static class Invalid implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.registerValidation(
                    () -> {
                        throw new InvalidObjectException("invalid after all");
                    },
                    0);
        }
    }

    public static class Nested implements Serializable {
        private transient Object inside;

        public Nested(Object inside) {
            this.inside = inside;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeObject(inside);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            inside = in.readObject();
        }
    }
}
