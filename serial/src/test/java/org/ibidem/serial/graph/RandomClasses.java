package org.ibidem.serial.graph;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Serializable classes that nobody wrote: hierarchies and records with fields of all kinds.
public final class RandomClasses {
    private static final List<String> TYPES =
            List.of(
                    "Z",
                    "B",
                    "S",
                    "C",
                    "I",
                    "J",
                    "F",
                    "D",
                    "Ljava/lang/String;",
                    "Ljava/lang/String;",
                    "Ljava/lang/Object;",
                    "Ljava/lang/Integer;",
                    "Ljava/lang/Number;",
                    "Ljava/io/Serializable;",
                    "[I",
                    "[Z",
                    "[D",
                    "[Ljava/lang/String;",
                    "[Ljava/lang/Object;",
                    "Ljava/util/List;",
                    "Ljava/util/Map;",
                    "Ljava/util/Set;",
                    desc(PlainTypes.Color.class),
                    desc(PlainTypes.Point3.class),
                    desc(PlainTypes.Node.class));

    private final RandomGenerator random;

    /// @param name of the field
    /// @param type its descriptor
    /// @param flags of the field
    private record Field(String name, String type, int flags) {}

    /// @param parent a class of the same kind; null: none
    /// @param hooks its own methods
    private record Spec(
            String name, String parent, boolean record, List<Field> fields, Hooks hooks) {
        /// Whether it may become a superclass.
        boolean isParent() {
            return !record && !hooks.external();
        }
    }

    /// Whether superclasses go, else fields get other types. Not both: the JDK still looks at the
    /// fields of what is no superclass any more, which we do not even load.
    private final boolean moving;

    /// Whether classes take part in their own serialization. Then none has a field of its own type:
    /// these are read last here, and where objects are replaced it shows what came first.
    private final boolean hooked;

    private RandomClasses(RandomGenerator random, boolean hooked) {
        this.random = random;
        this.hooked = hooked;
        this.moving = random.nextInt(4) == 0;
    }

    /// Classes in one process, and the same after somebody has worked on them: class files by the
    /// names of their classes.
    public record Versions(Map<String, byte[]> before, Map<String, byte[]> after) {}

    private static String desc(Class<?> type) {
        return type.descriptorString();
    }

    /// Some classes that may refer to each other.
    public static List<Class<?>> some(RandomGenerator random, boolean hooked) {
        var maker = new RandomClasses(random, hooked);
        return load(maker.specs());
    }

    /// The same, twice.
    public static Versions changing(RandomGenerator random, boolean hooked) {
        var maker = new RandomClasses(random, hooked);
        var specs = maker.specs();
        return new Versions(files(specs), files(maker.changed(specs)));
    }

    private List<Spec> specs() {
        int count = random.nextInt(1, 6);
        var specs = new ArrayList<Spec>();
        for (int i = 0; i < count; i++) {
            boolean record = random.nextInt(4) == 0;
            var parents = specs.stream().filter(spec -> !spec.record).toList();
            var parent =
                    record || parents.isEmpty() || random.nextBoolean()
                            ? null
                            : parents.get(random.nextInt(parents.size())).name;
            var fields = fields(i, count);
            specs.add(new Spec("generated.C" + i, parent, record, fields, hooks(fields, parent)));
        }
        return specs;
    }

    private Hooks hooks(List<Field> fields, String parent) {
        return hooked ? Hooks.some(random, names(fields), parent == null) : Hooks.NONE;
    }

    private static List<String> names(List<Field> fields) {
        return fields.stream().map(field -> field.name + ":" + field.type).toList();
    }

    private List<Field> fields(int self, int classes) {
        int most = random.nextInt(8) == 0 ? 90 : 9;
        var fields = new ArrayList<Field>();
        for (int left = random.nextInt(most); left > 0; left--) {
            fields.add(field("f" + fields.size(), self, classes));
        }
        return fields;
    }

    private Field field(String name, int self, int classes) {
        int flags =
                switch (random.nextInt(12)) {
                    case 0 -> Modifier.TRANSIENT;
                    case 1, 2 -> Modifier.FINAL;
                    case 3 -> Modifier.STATIC;
                    case 4, 5 -> Modifier.PUBLIC;
                    default -> Modifier.PRIVATE;
                };
        return new Field(name, type(self, classes), flags);
    }

    private String type(int self, int classes) {
        int choice = random.nextInt(TYPES.size() + 8);
        if (choice < TYPES.size()) {
            return TYPES.get(choice);
        }
        int number = random.nextInt(classes);
        var other = "Lgenerated/C" + number + ";";
        if (hooked && number == self) {
            return "Ljava/lang/Object;";
        }
        return choice % 4 == 0 ? "[" + other : other;
    }

    private List<Spec> changed(List<Spec> specs) {
        var changed = new ArrayList<Spec>();
        for (var spec : specs) {
            changed.add(changed(spec, changed));
        }
        return changed;
    }

    private Spec changed(Spec spec, List<Spec> before) {
        var fields = new ArrayList<Field>();
        for (var field : spec.fields) {
            switch (random.nextInt(12)) {
                case 0 -> {} // removed
                case 1 ->
                        fields.add(moving ? field : new Field(field.name, type(0, 1), field.flags));
                default -> fields.add(field);
            }
        }
        for (int added = random.nextInt(3); added > 0; added--) {
            fields.add(field("g" + added, 0, 1));
        }
        var parent = moving && random.nextBoolean() ? null : spec.parent;
        if (hooked && spec.parent == null && !spec.record && !spec.hooks.external()) {
            var parents = before.stream().filter(Spec::isParent).toList();
            parent = random.nextBoolean() && !parents.isEmpty() ? parents.getLast().name : null;
        }
        var hooks = hooked ? spec.hooks.changed(random, names(fields)) : Hooks.NONE;
        return new Spec(spec.name, parent, spec.record, fields, hooks);
    }

    /// Class files by the names of their classes; for [#load].
    public static Map<String, byte[]> files(RandomGenerator random, boolean hooked) {
        return files(new RandomClasses(random, hooked).specs());
    }

    private static Map<String, byte[]> files(List<Spec> specs) {
        var bytes = new LinkedHashMap<String, byte[]>();
        specs.forEach(spec -> bytes.put(spec.name, bytes(spec)));
        return bytes;
    }

    private static List<Class<?>> load(List<Spec> specs) {
        return load(files(specs));
    }

    /// Classes in a loader of their own, which takes these files before those of the tests.
    public static List<Class<?>> load(Map<String, byte[]> files) {
        var loader = new Loader(files);
        var classes = new ArrayList<Class<?>>();
        for (var name : files.keySet()) {
            try {
                classes.add(Class.forName(name, true, loader));
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
        return classes;
    }

    /// Whether records of this loader may be resolved to something else.
    static boolean resolvesRecords(ClassLoader loader) {
        return loader instanceof Loader own
                && own.bytes.keySet().stream()
                        .map(own::own)
                        .anyMatch(type -> type.isRecord() && Alike.resolves(type));
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> bytes;

        Loader(Map<String, byte[]> bytes) {
            super(RandomClasses.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return bytes.containsKey(name) ? own(name) : super.loadClass(name, resolve);
        }

        private Class<?> own(String name) {
            synchronized (getClassLoadingLock(name)) {
                var code = bytes.get(name);
                var loaded = findLoadedClass(name);
                return loaded != null ? loaded : defineClass(name, code, 0, code.length);
            }
        }
    }

    private static byte[] bytes(Spec spec) {
        var self = ClassDesc.of(spec.name);
        var parent =
                spec.record
                        ? ClassDesc.of("java.lang.Record")
                        : spec.parent == null ? CD_Object : ClassDesc.of(spec.parent);
        return ClassFile.of()
                .build(
                        self,
                        type -> {
                            int last = spec.record ? ClassFile.ACC_FINAL : 0;
                            type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER | last);
                            type.withSuperclass(parent);
                            type.withInterfaceSymbols(
                                    ClassDesc.ofDescriptor(desc(spec.hooks.marker())));
                            spec.hooks.into(type, self);
                            type.withField(
                                    "serialVersionUID",
                                    CD_long,
                                    field ->
                                            field.withFlags(
                                                            ClassFile.ACC_PRIVATE
                                                                    | ClassFile.ACC_STATIC
                                                                    | ClassFile.ACC_FINAL)
                                                    .with(ConstantValueAttribute.of(7L)));
                            if (spec.record) {
                                record(type, self, spec);
                            } else {
                                plain(type, parent, spec);
                            }
                        });
    }

    private static void plain(ClassBuilder type, ClassDesc parent, Spec spec) {
        for (var field : spec.fields) {
            type.withField(field.name, ClassDesc.ofDescriptor(field.type), field.flags);
        }
        if (!spec.hooks.equals(Hooks.NONE)) {
            type.withField(
                    RandomHooks.LATE, CD_Object, ClassFile.ACC_PUBLIC | ClassFile.ACC_TRANSIENT);
        }
        type.withMethodBody(
                INIT_NAME,
                MethodTypeDesc.of(CD_void),
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokespecial(parent, INIT_NAME, MethodTypeDesc.of(CD_void))
                                .return_());
    }

    private static void record(ClassBuilder type, ClassDesc self, Spec spec) {
        var components = new ArrayList<RecordComponentInfo>();
        for (var field : spec.fields) {
            var descriptor = ClassDesc.ofDescriptor(field.type);
            type.withField(field.name, descriptor, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
            components.add(RecordComponentInfo.of(field.name, descriptor));
        }
        type.with(RecordAttribute.of(components));
        constant(type, "hashCode", MethodTypeDesc.of(CD_int), code -> code.iconst_1().ireturn());
        constant(
                type,
                "toString",
                MethodTypeDesc.of(CD_String),
                code -> code.loadConstant("record").areturn());
        constant(
                type,
                "equals",
                MethodTypeDesc.of(CD_boolean, CD_Object),
                code -> code.iconst_1().ireturn());
        var types =
                spec.fields.stream()
                        .map(field -> ClassDesc.ofDescriptor(field.type))
                        .toArray(ClassDesc[]::new);
        type.withMethodBody(
                INIT_NAME,
                MethodTypeDesc.of(CD_void, types),
                ClassFile.ACC_PUBLIC,
                code -> canonical(code, self, spec));
    }

    private static void canonical(CodeBuilder code, ClassDesc self, Spec spec) {
        code.aload(0)
                .invokespecial(
                        ClassDesc.of("java.lang.Record"), INIT_NAME, MethodTypeDesc.of(CD_void));
        int local = 1;
        for (var field : spec.fields) {
            var descriptor = ClassDesc.ofDescriptor(field.type);
            var kind = TypeKind.from(descriptor);
            code.aload(0).loadLocal(kind, local).putfield(self, field.name, descriptor);
            local += kind.slotSize();
        }
        code.return_();
    }

    private static void constant(
            ClassBuilder type,
            String name,
            MethodTypeDesc descriptor,
            java.util.function.Consumer<CodeBuilder> code) {
        type.withMethodBody(name, descriptor, ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL, code);
    }
}
