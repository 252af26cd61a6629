package org.ibidem.lab.net.junit;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// Classes that share a laboratory come one after the other.
public final class ByPlan implements ClassOrderer {
    /// Made by JUnit, which is told of it in `junit-platform.properties`.
    public ByPlan() {}

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparing(ByPlan::plan));
    }

    private static String plan(ClassDescriptor type) {
        return type.findAnnotation(Laboratory.class).map(each -> each.value().getName()).orElse("");
    }
}
