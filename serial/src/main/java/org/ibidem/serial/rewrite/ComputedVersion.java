package org.ibidem.serial.rewrite;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The serialVersionUID that Java computes for a class that does not say one: the Java Object
/// Serialization Specification, section 4.6. `ObjectStreamClass` would answer it, too, but
/// initializes superclasses on its way.
final class ComputedVersion {
    private static final int OF_CLASS =
            Modifier.PUBLIC | Modifier.FINAL | Modifier.INTERFACE | Modifier.ABSTRACT;
    private static final int OF_ACCESS = Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED;
    private static final int OF_FIELD =
            OF_ACCESS | Modifier.STATIC | Modifier.FINAL | Modifier.VOLATILE | Modifier.TRANSIENT;
    private static final int OF_METHOD =
            OF_ACCESS
                    | Modifier.STATIC
                    | Modifier.FINAL
                    | Modifier.SYNCHRONIZED
                    | Modifier.NATIVE
                    | Modifier.ABSTRACT
                    | Modifier.STRICT;

    /// A method or constructor.
    private record Member(String name, int modifiers, String signature) {}

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private ComputedVersion() {}

    /// Computes it.
    ///
    /// @param initializes whether the class has a static initializer, which reflection does not say
    static long of(Class<?> type, boolean initializes) throws IOException {
        var it = new ComputedVersion();
        it.describe(type, initializes);
        return it.hash();
    }

    private void describe(Class<?> type, boolean initializes) throws IOException {
        out.writeUTF(type.getName());
        out.writeInt(type.getModifiers() & OF_CLASS);
        for (var name : Stream.of(type.getInterfaces()).map(Class::getName).sorted().toList()) {
            out.writeUTF(name);
        }
        fields(type);
        if (initializes) {
            member(new Member("<clinit>", Modifier.STATIC, "()V"));
        }
        members(
                Stream.of(type.getDeclaredConstructors())
                        .map(each ->
                                new Member(
                                        "<init>",
                                        each.getModifiers(),
                                        signature(void.class, each.getParameterTypes())))
                        .toList());
        members(
                Stream.of(type.getDeclaredMethods())
                        .map(each ->
                                new Member(
                                        each.getName(),
                                        each.getModifiers(),
                                        signature(each.getReturnType(), each.getParameterTypes())))
                        .toList());
    }

    private static String signature(Class<?> result, Class<?>[] parameters) {
        return MethodType.methodType(result, parameters).descriptorString();
    }

    private void fields(Class<?> type) throws IOException {
        var sorted =
                Stream.of(type.getDeclaredFields())
                        .sorted(Comparator.comparing(Field::getName))
                        .toList();
        for (var field : sorted) {
            int modifiers = field.getModifiers() & OF_FIELD;
            boolean counts =
                    !Modifier.isPrivate(modifiers)
                            || (modifiers & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
            if (counts) {
                out.writeUTF(field.getName());
                out.writeInt(modifiers);
                out.writeUTF(field.getType().descriptorString());
            }
        }
    }

    private void members(List<Member> all) throws IOException {
        var sorted =
                all.stream()
                        .sorted(Comparator.comparing(Member::name).thenComparing(Member::signature))
                        .toList();
        for (var member : sorted) {
            if (!Modifier.isPrivate(member.modifiers)) {
                member(member);
            }
        }
    }

    private void member(Member member) throws IOException {
        out.writeUTF(member.name);
        out.writeInt(member.modifiers & OF_METHOD);
        out.writeUTF(member.signature.replace('/', '.'));
    }

    private long hash() {
        try {
            var digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
            return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new SecurityException(e.getMessage(), e);
        }
    }
}
