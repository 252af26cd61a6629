package org.ibidem.serial.graph;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;

import java.io.Externalizable;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The hooks of one of the [RandomClasses]: scripts of [RandomHooks], empty where it has no such
/// method.
///
/// @param writes `writeObject`, or `writeExternal`
/// @param reads `readObject`, or `readExternal`
/// @param noData whether there is a `readObjectNoData`
/// @param replaces `writeReplace`
/// @param resolves `readResolve`
/// @param external whether it is `Externalizable`
/// @param persistent `serialPersistentFields`
record Hooks(
        String writes,
        String reads,
        boolean noData,
        String replaces,
        String resolves,
        boolean external,
        String persistent) {
    static final Hooks NONE = new Hooks("", "", false, "", "", false, "");

    private static final ClassDesc SCRIPTS = ClassDesc.of(RandomHooks.class.getName());
    private static final String VALUES = "iulbotnzsv";
    private static final List<String> INSTEAD = List.of("self", "text", "node", "null", "field");

    /// Fields that hold no values.
    private static final Pattern UNSHARED = Pattern.compile(".*:(\\[.|Ljava/util/).*");

    /// Hooks of a class with these fields: names with descriptors, as `name:descriptor`.
    ///
    /// @param top whether it has no superclass; of one that reads itself the JDK compares
    ///   superclasses, which do not matter then
    static Hooks some(RandomGenerator random, List<String> fields, boolean top) {
        if (random.nextInt(3) == 0) {
            return NONE;
        }
        boolean external = top && random.nextInt(6) == 0;
        var writes = random.nextBoolean() || external ? writes(random, external) : "";
        return new Hooks(
                writes,
                random.nextInt(4) > 0 || external ? reads(random, writes, external) : "",
                random.nextInt(3) == 0,
                random.nextInt(8) == 0 ? INSTEAD.get(random.nextInt(INSTEAD.size())) : "",
                random.nextInt(8) == 0 ? INSTEAD.get(random.nextInt(INSTEAD.size())) : "",
                external,
                random.nextInt(3) == 0 ? persistent(random, fields) : "");
    }

    /// Those of the same class after somebody has worked on it.
    Hooks changed(RandomGenerator random, List<String> fields) {
        var other = some(random, fields, false);
        return new Hooks(
                writes,
                random.nextInt(4) > 0 || external ? reads(random, writes, external) : "",
                other.noData,
                other.replaces,
                other.resolves,
                external,
                other.persistent);
    }

    /// The fields come first, since the JDK takes primitives that nobody asks for to be something
    /// else.
    private static String writes(RandomGenerator random, boolean external) {
        var script = new StringBuilder(external ? "" : one(random, "ddpq") + "");
        for (int left = random.nextInt(5); left > 0; left--) {
            script.append(one(random, VALUES));
        }
        return script.toString();
    }

    /// What fits a script that writes, mostly. Only what is no value is read as unshared: values
    /// have no handles here, so each is.
    private static String reads(RandomGenerator random, String writes, boolean external) {
        var script =
                new StringBuilder(writes.isEmpty() && !external ? one(random, "ddf") + "" : "");
        for (int i = 0; i < writes.length(); i++) {
            char step = writes.charAt(i);
            script.append(
                    switch (step) {
                        case 'd', 'p', 'q' -> one(random, "df");
                        case 'i', 'u', 'l', 'b' -> step;
                        case 's', 'v', 't' -> one(random, "os");
                        default -> 'o';
                    });
        }
        int first = external || script.isEmpty() ? 0 : 1;
        if (random.nextInt(4) == 0) {
            script.setLength(first + random.nextInt(script.length() - first + 1));
        }
        if (random.nextInt(6) == 0) {
            int at = first + random.nextInt(script.length() - first + 1);
            var rest = script.substring(at).replace('s', 'o');
            script.setLength(at);
            script.append(one(random, "iuoa")).append(rest);
        }
        return random.nextInt(3) == 0 ? script + "e" : script.toString();
    }

    private static char one(RandomGenerator random, String of) {
        return of.charAt(random.nextInt(of.length()));
    }

    /// Some of the fields, some of another type than they are, and some that are none.
    private static String persistent(RandomGenerator random, List<String> fields) {
        var all = new ArrayList<String>();
        for (var field : fields) {
            boolean unshared = UNSHARED.matcher(field).matches() && random.nextInt(4) == 0;
            if (random.nextInt(4) > 0) {
                all.add((unshared ? "!" : "") + field);
            }
        }
        if (random.nextInt(3) == 0) {
            all.add(random.nextBoolean() ? "gone0:I" : "gone1:Ljava/lang/Object;");
        }
        return all.stream().collect(Collectors.joining(","));
    }

    /// Adds them to a class.
    void into(ClassBuilder type, ClassDesc self) {
        if (equals(NONE)) {
            return;
        }
        if (external) {
            stream(type, self, "writeExternal", ObjectOutput.class, writes);
            stream(type, self, "readExternal", ObjectInput.class, reads);
        } else {
            if (!writes.isEmpty()) {
                stream(type, self, "writeObject", ObjectOutputStream.class, writes);
            }
            if (!reads.isEmpty()) {
                stream(type, self, "readObject", ObjectInputStream.class, reads);
            }
        }
        if (noData) {
            noData(type, self);
        }
        if (!replaces.isEmpty()) {
            instead(type, self, "writeReplace", replaces);
        }
        if (!resolves.isEmpty()) {
            instead(type, self, "readResolve", resolves);
        }
        if (!persistent.isEmpty()) {
            persistent(type, self);
        }
    }

    /// The interface that a class with them implements.
    Class<?> marker() {
        return external ? Externalizable.class : java.io.Serializable.class;
    }

    private static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    private void stream(
            ClassBuilder type, ClassDesc self, String name, Class<?> stream, String script) {
        boolean writing = name.startsWith("write");
        var call =
                MethodTypeDesc.of(
                        CD_void,
                        CD_Class,
                        CD_String,
                        CD_Object,
                        desc(writing ? ObjectOutput.class : ObjectInput.class));
        type.withMethodBody(
                name,
                MethodTypeDesc.of(CD_void, desc(stream)),
                external ? ClassFile.ACC_PUBLIC : ClassFile.ACC_PRIVATE,
                code ->
                        code.loadConstant(self)
                                .loadConstant(script)
                                .aload(0)
                                .aload(1)
                                .invokestatic(SCRIPTS, writing ? "write" : "read", call)
                                .return_());
    }

    private static void noData(ClassBuilder type, ClassDesc self) {
        type.withMethodBody(
                "readObjectNoData",
                MethodTypeDesc.of(CD_void),
                ClassFile.ACC_PRIVATE,
                code ->
                        code.loadConstant(self)
                                .aload(0)
                                .invokestatic(
                                        SCRIPTS,
                                        "noData",
                                        MethodTypeDesc.of(CD_void, CD_Class, CD_Object))
                                .return_());
    }

    private static void instead(ClassBuilder type, ClassDesc self, String name, String what) {
        type.withMethodBody(
                name,
                MethodTypeDesc.of(CD_Object),
                ClassFile.ACC_PROTECTED,
                code ->
                        code.loadConstant(self)
                                .loadConstant(what)
                                .aload(0)
                                .invokestatic(
                                        SCRIPTS,
                                        "instead",
                                        MethodTypeDesc.of(
                                                CD_Object, CD_Class, CD_String, CD_Object))
                                .areturn());
    }

    private void persistent(ClassBuilder type, ClassDesc self) {
        var fields = desc(ObjectStreamField[].class);
        type.withField(
                "serialPersistentFields",
                fields,
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
        type.withMethodBody(
                CLASS_INIT_NAME,
                MethodTypeDesc.of(CD_void),
                ClassFile.ACC_STATIC,
                code ->
                        code.loadConstant(self)
                                .loadConstant(persistent)
                                .invokestatic(
                                        SCRIPTS,
                                        "persistent",
                                        MethodTypeDesc.of(fields, CD_Class, CD_String))
                                .putstatic(self, "serialPersistentFields", fields)
                                .return_());
    }
}
