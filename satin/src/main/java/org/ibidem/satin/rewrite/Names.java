package org.ibidem.satin.rewrite;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/// What generated code refers to.
final class Names {
    static final ClassDesc JOB = ClassDesc.of("org.ibidem.satin.Job");
    static final MethodTypeDesc SPAWN = MethodTypeDesc.of(JOB, JOB, JOB);
    static final MethodTypeDesc SYNC = MethodTypeDesc.of(JOB, JOB);
    static final MethodTypeDesc FAILED = MethodTypeDesc.of(JOB, JOB);
    static final MethodTypeDesc ABORT = MethodTypeDesc.of(ConstantDescs.CD_void, JOB);
    static final MethodTypeDesc TAKEN = MethodTypeDesc.of(ConstantDescs.CD_Throwable);
    static final MethodTypeDesc FOLLOWING = MethodTypeDesc.of(JOB);
    static final MethodTypeDesc NUMBER = MethodTypeDesc.of(ConstantDescs.CD_int);

    /// Between a class's name and the number of one of its calls.
    private static final String JOBS = "$$Spawn";

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

    /// The class one of whose calls this class of jobs is for; itself for others.
    static String owner(String name) {
        int at = name.lastIndexOf(JOBS);
        return at > 0 && name.substring(at + JOBS.length()).matches("\\d+")
                ? name.substring(0, at)
                : name;
    }
}
