package org.ibidem.satin.rewrite;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.regex.Pattern;

/// What generated code refers to.
final class Names {
    static final ClassDesc JOB = ClassDesc.of("org.ibidem.satin.Job");
    static final MethodTypeDesc SPAWN = MethodTypeDesc.of(JOB, JOB, JOB);
    static final MethodTypeDesc SYNC = MethodTypeDesc.of(JOB, JOB);
    static final MethodTypeDesc FAILED = MethodTypeDesc.of(JOB, JOB);
    static final MethodTypeDesc ABORT = MethodTypeDesc.of(ConstantDescs.CD_void, JOB);
    static final MethodTypeDesc TAKEN = MethodTypeDesc.of(ConstantDescs.CD_Throwable);
    static final MethodTypeDesc FOLLOWING = MethodTypeDesc.of(JOB);
    static final MethodTypeDesc INITIALIZING =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_boolean);
    static final MethodTypeDesc NUMBER = MethodTypeDesc.of(ConstantDescs.CD_int);

    static final ClassDesc WRITE = ClassDesc.of("org.ibidem.satin.Write");
    static final ClassDesc SHARED = ClassDesc.of("ibis.satin.SharedObject");
    static final MethodTypeDesc APPLY = MethodTypeDesc.of(ConstantDescs.CD_void, SHARED);
    static final MethodTypeDesc PERFORM = MethodTypeDesc.of(ConstantDescs.CD_void, SHARED, WRITE);

    /// Between a class's name and the number of one of its calls.
    private static final String JOBS = "$$Spawn";

    /// The same for one of its write methods.
    private static final String WRITES = "$$Write";

    private static final Pattern MADE =
            Pattern.compile("(.+)(" + Pattern.quote(JOBS) + "|" + Pattern.quote(WRITES) + ")\\d+");

    private static final String STORE = "satin$$store";

    private Names() {}

    /// The class of the jobs of a site.
    static ClassDesc job(ClassDesc owner, Site site) {
        var text = owner.descriptorString();
        return ClassDesc.ofDescriptor(
                text.substring(0, text.length() - 1) + JOBS + site.number() + ";");
    }

    /// The method that puts a result into a field.
    static String store(Site site) {
        return STORE + site.number();
    }

    /// The class of the calls of a write method.
    static ClassDesc write(ClassDesc owner, int number) {
        var text = owner.descriptorString();
        return ClassDesc.ofDescriptor(text.substring(0, text.length() - 1) + WRITES + number + ";");
    }

    /// The class one of whose calls or methods this class was made for; itself for others.
    static String owner(String name) {
        var made = MADE.matcher(name);
        return made.matches() ? made.group(1) : name;
    }
}
