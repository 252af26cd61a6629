package org.ibidem;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/// The stacks that tests run over. In the quick suite each class takes the first, and of the others
/// one in three, another third each day: nothing that the whole suite would find there stays unseen
/// for long.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(Stacks.Turns.class)
public @interface Stacks {
    /// In the stack notation.
    String[] value();

    /// Those whose turn it is.
    final class Turns extends AnnotationBasedArgumentsProvider<Stacks> {
        private static final boolean QUICK = Boolean.getBoolean("ibidem.quick");
        private static final long TODAY = System.currentTimeMillis() / 86_400_000;
        private static final int EVERY = 3;

        @Override
        protected Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context, Stacks stacks) {
            return of(List.of(stacks.value())).map(Arguments::of);
        }

        /// Of these, all unless this is the quick suite.
        public static Stream<String> of(List<String> stacks) {
            return IntStream.range(0, stacks.size())
                    .filter(i -> !QUICK || i == 0 || (i + TODAY) % EVERY == 0)
                    .mapToObj(stacks::get);
        }
    }
}
